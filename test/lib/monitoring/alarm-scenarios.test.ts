import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  simulateTracker,
  type TrackerScenario,
} from '../../support/cloudwatch/simulated-tracker.ts';
import { alarmStates, alarmsOf, type Conditions } from '../../support/cloudwatch/template-alarm.ts';
import { withEveryAlarm } from './every-alarm.ts';

/*
 * Each scenario runs a simulated tracker and evaluates every alarm of the template over its metrics. AWS does not
 * document how far CloudWatch looks back for missing data, how late metrics arrive, or whether a stream reports the age
 * of its records while Lambda retries a batch. The evaluation is therefore repeated under several assumptions.
 */

const alarmsWith = (lowLatency: boolean) =>
  alarmsOf(withEveryAlarm({ lowLatency })).map((alarm) => ({
    ...alarm,
    id: alarm.id.replace(/^Alarms/, ''),
  }));
const read = alarmsWith(false);
/** The alarms for each delivery mode of records. Alarms that are the same in both modes are evaluated with `read`. */
const deliveries = {
  read,
  pushed: alarmsWith(true).filter((alarm) => !read.some((each) => isDeepStrictEqual(each, alarm))),
};
type Delivery = keyof typeof deliveries;

const assumptions: Conditions[] = [
  { extraRange: 1, delay: 0 },
  { extraRange: 2, delay: 1 },
  { extraRange: 10, delay: 2 },
];

/** The number of minutes at the start of a scenario in which the alarms have too little data. */
const settling = 60;
/** The minutes at which a fault starts and ends. */
const [faultStart, faultEnd] = [90, 210];
/** The length of a scenario with a fault, in minutes. At its end, no alarm may be in the state ALARM. */
const minutes = 330;

const every = (seconds: number, until = minutes * 60) =>
  Array.from({ length: Math.floor(until / seconds) }, (_, index) => index * seconds + 17);
const busy = every(5);
const hourly = every(3_600);

/** Returns a function that maps a second to the fault while it lasts, and to `works` before and after it. */
const during =
  <Fault extends string>(fault: Fault) =>
  (second: number): Fault | 'works' =>
    second >= faultStart * 60 && second < faultEnd * 60 ? fault : 'works';

const duringMinutes =
  <Fault extends string>(fault: Fault) =>
  (minute: number): Fault | 'runs' =>
    minute >= faultStart && minute < faultEnd ? fault : 'runs';

const everyMinute = () => true;
const everyFiveMinutes = [0, 5, 10, 15].map((minute) => faultStart + minute);
const eachMinute = Array.from({ length: 30 }, (_, index) => faultStart + index);

interface Firing {
  readonly conditions: Conditions;
  /** The alarms that were in the state ALARM, sorted. */
  readonly fired: string[];
  /** The alarms that are still in the state ALARM at the end. */
  readonly left: string[];
}

/** Simulates a scenario and evaluates every alarm under each assumption. */
function firingsOf(
  scenario: TrackerScenario,
  delivery: Delivery,
  { reportsReadAge = true, from = settling } = {},
): Firing[] {
  const metrics = simulateTracker(scenario, { reportsReadAge });
  // Without a canary, its alarm does not exist.
  const existing = deliveries[delivery].filter(({ id }) => id !== 'Canary' || scenario.canaryRuns);
  return assumptions.map((conditions) => {
    const states = existing.map((alarm) => ({
      id: alarm.id,
      states: alarmStates(alarm, metrics, scenario.minutes, conditions).slice(from),
    }));
    return {
      conditions,
      fired: states.flatMap((each) => (each.states.includes('ALARM') ? each.id : [])).toSorted(),
      left: states.flatMap((each) => (each.states.at(-1) === 'ALARM' ? each.id : [])),
    };
  });
}

/**
 * The expected result if the given alarms go off under each assumption, and no alarm is in the state ALARM at the end.
 */
const eachTime = (...fired: readonly string[]): Firing[] =>
  assumptions.map((conditions) => ({ conditions, fired: fired.toSorted(), left: [] }));

const healthy: Record<string, TrackerScenario> = {
  'the stream is busy': { minutes, arrivals: busy },
  'one event arrives per hour': { minutes: 1_440, arrivals: every(3_600, 86_400) },
  'one event arrives every 15 minutes': { minutes, arrivals: every(900) },
  'no event arrives': { minutes, arrivals: [] },
  'only the canary sends events': { minutes, arrivals: [], canaryRuns: everyMinute },
  'the capacity is increased after five minutes of throttling': {
    minutes,
    arrivals: busy,
    occurrences: {
      'AWS/DynamoDB WriteThrottleEvents TablesInstances': eachMinute.slice(0, 5),
    },
  },
};

/** A scenario with a deployment during which everything fails for two minutes, starting at the given second. */
function deploymentAt(start: number): TrackerScenario {
  const fails = (second: number) =>
    second >= start && second < start + 120 ? ('fails' as const) : ('works' as const);
  const affected = [0, 1, 2].map((minute) => Math.floor(start / 60) + minute);
  return {
    minutes,
    arrivals: busy,
    dispatcher: fails,
    publisher: fails,
    archiver: fails,
    counter: fails,
    canaryRuns: everyMinute,
    clock: (minute) => (affected.slice(0, 2).includes(minute) ? 'fails' : 'runs'),
    occurrences: {
      'AWS/ApiGateway 5xx ApiHttpApi': affected,
      'AWS/Lambda Errors ModelsordersFunction': affected,
      'AWS/Lambda Throttles ModelsordersFunction': affected,
      'AWS/Lambda Throttles ApiFunction': affected,
    },
  };
}

describe.each<Delivery>(['read', 'pushed'])(
  'in a healthy system whose records are %s',
  (delivery) => {
    it.each(Object.entries(healthy))('no alarm goes off if %s', (_, scenario) => {
      expect(firingsOf(scenario, delivery)).toEqual(eachTime());
    });

    it('no alarm goes off if isolated events arrive at any second', () => {
      const arrivals = fc
        .array(fc.integer({ min: 0, max: 6 * 3_600 }), { maxLength: 12 })
        .map((seconds) => seconds.toSorted((a, b) => a - b));
      fc.assert(
        fc.property(arrivals, (given) =>
          firingsOf({ minutes: 400, arrivals: given }, delivery).every(
            ({ fired }) => fired.length === 0,
          ),
        ),
        { numRuns: 15 },
      );
    });

    it('no alarm goes off if a deployment makes everything fail for two minutes, even if the failures span three periods', () => {
      for (let start = 7_200; start < 7_260; start += 15)
        expect(firingsOf(deploymentAt(start), delivery)).toEqual(eachTime());
    });

    it('no alarm goes off if events arrive in the last second of a minute, 30 minutes apart', () => {
      const arrivals = every(1_800).map((second) => second - 17 + 59);
      expect(firingsOf({ minutes, arrivals }, delivery)).toEqual(eachTime());
    });
  },
);

interface FaultScenario extends Omit<TrackerScenario, 'minutes'> {
  readonly fires: readonly string[];
  /** The additional alarms that go off if the streams report the age of records while Lambda retries a batch. */
  readonly firesByAge?: readonly string[];
  /** An alarm that goes off only if CloudWatch looks back far enough. */
  readonly mayFire?: string;
  /** The only delivery mode in which the alarm exists; undefined if the alarm exists in both modes. */
  readonly only?: Delivery;
}

const faulty: Record<string, FaultScenario> = {
  'the mapping of the dispatcher is disabled on a busy stream': {
    arrivals: busy,
    dispatcher: during('disabled'),
    fires: ['EventSources', 'Unread'],
  },
  'the mapping of the dispatcher is disabled on a quiet stream': {
    arrivals: hourly,
    dispatcher: during('disabled'),
    fires: ['EventSources'],
    mayFire: 'Unread',
  },
  'the mapping of the dispatcher is not authorized on a busy stream': {
    arrivals: busy,
    dispatcher: during('unauthorized'),
    fires: ['EventSources', 'Unread'],
  },
  'the mapping of the dispatcher is not authorized on a quiet stream': {
    arrivals: hourly,
    dispatcher: during('unauthorized'),
    fires: ['EventSources'],
    mayFire: 'Unread',
  },
  'the dispatcher fails on a busy stream': {
    arrivals: busy,
    dispatcher: during('fails'),
    fires: ['DispatcherErrors', 'EventSources', 'IteratorAge'],
    firesByAge: ['StreamAge'],
  },
  'the dispatcher fails every five minutes on a quiet stream': {
    arrivals: hourly,
    dispatcher: during('fails'),
    retryAfter: 300,
    fires: ['DispatcherErrors', 'EventSources', 'IteratorAge'],
    firesByAge: ['StreamAge'],
  },
  'the dispatcher hangs until it times out on a quiet stream': {
    arrivals: hourly,
    dispatcher: during('hangs'),
    fires: ['DispatcherTimeouts', 'EventSources'],
    firesByAge: ['StreamAge'],
  },
  'the dispatcher is throttled on a busy stream': {
    arrivals: busy,
    dispatcher: during('throttled'),
    fires: ['DispatcherThrottles', 'EventSources', 'Unread'],
    firesByAge: ['StreamAge'],
  },
  'the dispatcher is throttled on a quiet stream': {
    arrivals: hourly,
    dispatcher: during('throttled'),
    fires: ['DispatcherThrottles', 'EventSources'],
    firesByAge: ['StreamAge'],
    mayFire: 'Unread',
  },
  'the mapping of the publisher is disabled on a busy stream': {
    arrivals: busy,
    publisher: during('disabled'),
    fires: ['EventSources', 'NotificationsUnread'],
  },
  'the mapping of the publisher is disabled on a quiet stream': {
    arrivals: hourly,
    publisher: during('disabled'),
    fires: ['EventSources'],
    mayFire: 'NotificationsUnread',
  },
  'the publisher fails on a quiet stream': {
    arrivals: hourly,
    publisher: during('fails'),
    fires: ['EventSources', 'NotificationAge', 'PublisherErrors'],
    firesByAge: ['NotificationStreamAge'],
  },
  'the publisher is throttled on a quiet stream': {
    arrivals: hourly,
    publisher: during('throttled'),
    fires: ['EventSources', 'PublisherThrottles'],
    firesByAge: ['NotificationStreamAge'],
    mayFire: 'NotificationsUnread',
  },
  'the mapping of the archiver is disabled': {
    arrivals: busy,
    archiver: during('disabled'),
    fires: ['EventSources'],
  },
  'the archiver fails': {
    arrivals: busy,
    archiver: during('fails'),
    fires: ['ArchiveBehind', 'EventSources'],
  },
  'the archiver is throttled': {
    arrivals: hourly,
    archiver: during('throttled'),
    fires: ['ArchiveBehind', 'ArchiveThrottles', 'EventSources'],
  },
  'Firehose cannot write to the archive': {
    arrivals: hourly,
    firehose: duringMinutes('fails'),
    fires: ['ArchiveNotDelivered'],
  },
  'the mapping of the counter is disabled': {
    arrivals: busy,
    counter: during('disabled'),
    fires: ['EventSources'],
  },
  'the counter fails': {
    arrivals: busy,
    counter: during('fails'),
    fires: ['CounterErrors', 'CountsBehind', 'EventSources'],
  },
  'the counter is throttled': {
    arrivals: hourly,
    counter: during('throttled'),
    fires: ['CountsBehind', 'CounterThrottles', 'EventSources'],
  },
  "the clock's rule is disabled": {
    arrivals: hourly,
    clock: duringMinutes('disabled'),
    fires: ['ClockErrors'],
  },
  'the clock fails': {
    arrivals: hourly,
    clock: duringMinutes('fails'),
    fires: ['ClockErrors'],
  },
  'the clock is throttled': {
    arrivals: hourly,
    clock: duringMinutes('throttled'),
    fires: ['ClockErrors'],
  },
  'the mapping of the dispatcher is disabled on a quiet stream with a canary': {
    arrivals: hourly,
    canaryRuns: everyMinute,
    dispatcher: during('disabled'),
    fires: ['Canary', 'EventSources', 'Unread'],
  },
  'events take 40 seconds, which only the canary notices': {
    arrivals: [],
    canaryRuns: everyMinute,
    dispatcher: (second) =>
      during('disabled')(second) === 'disabled' && second % 60 !== 10 ? 'busy' : 'works',
    fires: ['Canary'],
  },
  'the canary does not run': {
    arrivals: hourly,
    canaryRuns: (minute) => minute < faultStart || minute >= faultEnd,
    fires: ['Canary'],
  },
  'Lambda drops some records of a busy stream': {
    arrivals: busy,
    drops: (second) => during('drops')(second) === 'drops' && second % 50 < 5,
    fires: ['MissingRecords'],
    only: 'pushed',
  },
  'one record is not a valid event': occurring({
    'Milepost/milepost-events DeadLetters': [faultStart],
  })('DeadLetters'),
  'one event is parked': occurring({ 'Milepost/milepost-events Parked': [faultStart] })('Parked'),
  'one notification is rejected': occurring({
    'Milepost/milepost-events RefusedNotifications': [faultStart],
  })('RefusedNotifications'),
  'an update of counters is rejected': occurring({
    'Milepost/milepost-events LostCounts': [faultStart],
  })('LostCounts'),
  'a commit cannot be archived': occurring({
    'Milepost/milepost-events UnarchivedCommits': [faultStart],
  })('ArchiveUnarchivedCommits'),
  'records go to the failure bucket': occurring({
    'AWS/Lambda OnFailureDestinationDeliveredEventCount DispatcherFunctionKinesisEventSource': [
      faultStart,
    ],
  })('GivenUp'),
  'records cannot be put into the failure bucket': occurring({
    'AWS/Lambda DroppedEventCount DispatcherFunctionKinesisEventSource': [faultStart],
  })('Dropped'),
  'notifications go to the failure bucket': occurring({
    'AWS/Lambda OnFailureDestinationDeliveredEventCount PublisherFunctionKinesisEventSource': [
      faultStart,
    ],
  })('NotificationsGivenUp'),
  'notifications cannot be put into the failure bucket': occurring({
    'AWS/Lambda DroppedEventCount PublisherFunctionKinesisEventSource': [faultStart],
  })('NotificationsDropped'),
  'a model fails on a request every five minutes': occurring({
    'AWS/Lambda Errors ModelsordersFunction': everyFiveMinutes,
  })('ModelErrorsorders'),
  'a model is throttled': occurring({
    'AWS/Lambda Throttles ModelsordersFunction': eachMinute,
  })('ModelThrottlesorders'),
  'the API fails on a request every five minutes': occurring({
    'AWS/ApiGateway 5xx ApiHttpApi': everyFiveMinutes,
  })('ApiErrors'),
  "the API's function is throttled": occurring({
    'AWS/Lambda Throttles ApiFunction': eachMinute,
  })('ApiThrottles'),
  'the function of customer pages is throttled': occurring({
    'AWS/Lambda Throttles CustomerPagesFunction': eachMinute,
  })('CustomerPagesThrottles'),
  'the notification stream is throttled': occurring({
    'AWS/Kinesis PutRecords.ThrottledRecords NotificationStream': eachMinute,
  })('NotificationThrottles'),
  'writes to an index exceed its maximum capacity': occurring({
    'AWS/DynamoDB WriteThrottleEvents by-status TablesInstances': eachMinute,
  })('WriteThrottles'),
  'reads of the table exceed its maximum capacity': occurring({
    'AWS/DynamoDB ReadThrottleEvents TablesInstances': eachMinute,
  })('ReadThrottles'),
  'a rotation of the signing keys fails': occurring({
    'AWS/Lambda Errors SigningKeysRotationFunction': [faultStart],
  })('KeyRotationErrors'),
  'an event of a bus cannot be put on the stream': occurring({
    'AWS/SQS ApproximateNumberOfMessagesVisible SourceDeadLetters.QueueName': eachMinute,
  })('SourceNotPut'),
  'the bus cannot use the encryption key': occurring({
    'AWS/SQS ApproximateNumberOfMessagesVisible NotificationsDeadLetters.QueueName': eachMinute,
  })('UndeliveredNotifications'),
};

/** A system that receives one event per hour, and in which the given metrics have values. */
function occurring(occurrences: NonNullable<TrackerScenario['occurrences']>) {
  return (...fires: string[]): FaultScenario => ({ arrivals: hourly, occurrences, fires });
}

it('after the first deployment, only the alarms for the clock and the canary go off, until the first metrics arrive', () => {
  const deployed: TrackerScenario = {
    minutes: 90,
    arrivals: hourly,
    clock: (minute) => (minute < 2 ? 'disabled' : 'runs'),
    canaryRuns: (minute) => minute >= 2,
  };
  expect(firingsOf(deployed, 'read', { from: 0 })).toEqual(eachTime('Canary', 'ClockErrors'));
  expect(firingsOf(deployed, 'read', { from: 5 })).toEqual(eachTime());
});

describe.each<Delivery>(['read', 'pushed'])(
  'in a faulty system whose records are %s',
  (delivery) => {
    const possible = Object.entries(faulty).filter(([, { only = delivery }]) => only === delivery);
    const ids = deliveries[delivery].map(({ id }) => id);

    it.each(possible)(
      'if %s, exactly the alarms for the fault go off, and they end with the fault',
      (_, { fires, firesByAge = [], mayFire, ...fault }) => {
        for (const reportsReadAge of firesByAge.length > 0 ? [true, false] : [true]) {
          const firings = firingsOf({ ...fault, minutes }, delivery, { reportsReadAge });
          const certain = firings.map(({ fired, ...rest }) => ({
            ...rest,
            fired: fired.filter((id) => id !== mayFire),
          }));
          const expected = [...fires, ...(reportsReadAge ? firesByAge : [])];
          expect(certain).toEqual(eachTime(...expected.filter((id) => ids.includes(id))));
        }
      },
    );

    it('the scenarios cover every alarm of the template', () => {
      const firing = possible.flatMap(([, { fires, firesByAge = [] }]) => [
        ...fires,
        ...firesByAge,
      ]);
      expect(firing).toEqual(expect.arrayContaining(ids));
      const known = Object.values(deliveries).flatMap((alarms) => alarms.map(({ id }) => id));
      expect(known).toEqual(expect.arrayContaining(firing));
    });
  },
);
