import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Commit, Entry } from '../../src/core/commit.ts';
import { nothingSeen } from '../../src/core/seen.ts';
import { byDue } from '../../src/core/timer.ts';
import type { DispatchEnvironment } from '../../src/service/dispatch.ts';
import type { FireEnvironment } from '../../src/service/fire-timers.ts';
import type { EventStream, InstanceStore, Newest, Settled } from '../../src/service/ports.ts';
import type { Item } from '../support/dynamodb-expressions.ts';
import type { Sabotage } from './sabotage.ts';

/** The input of a command, which a fault may change on its way to DynamoDB. */
interface Input {
  Item?: Item;
  Key?: Item;
  ConditionExpression?: string;
}

/** Changes what is sent to DynamoDB; where `change` gives false, nothing is sent at all. */
const sending = (change: (input: Input) => boolean | void): Sabotage => ({
  client: (client) =>
    ({
      send: (command: { input: Input }) =>
        change(command.input) === false ? Promise.resolve({}) : client.send(command as never),
    }) as unknown as DynamoDBClient,
});

/** Puts other methods in place of a store's own. */
const storing = (other: (store: InstanceStore) => Partial<InstanceStore>): Sabotage => ({
  model: ({ store }) => ({ store: replaced(store, other(store)) }),
});

const dispatching = (
  other: (environment: DispatchEnvironment) => Partial<DispatchEnvironment>,
): Sabotage => ({ dispatcher: (environment) => ({ ...environment, ...other(environment) }) });

/** Has a model's function see something else as an instance's newest commit. */
const seeing = (change: (newest: Newest) => Newest): Sabotage =>
  storing((store) => ({
    newest: async (keys) =>
      (await store.newest(keys)).map((each) =>
        'error' in each ? each : { value: change(each.value) },
      ),
  }));

/** Puts another stream in place of the one that instances send by. */
const sendingBy = (other: (stream: EventStream) => EventStream['put']): Sabotage => ({
  model: ({ stream }) => ({ stream: { put: other(stream) } }),
});

/** Has instances send only what this says yes to. */
const sendingOnly = (isSent: (event: { readonly type: string }) => boolean): Sabotage =>
  sendingBy(
    (stream) => (records) =>
      stream.put(
        records.filter(({ data }) =>
          isSent(JSON.parse(Buffer.from(data).toString()) as { type: string }),
        ),
      ),
  );

/** Has commits say other things than what was folded. */
const committing = (change: (commit: Commit, before: Commit | undefined) => Commit): Sabotage =>
  storing((store) => ({
    commit: async (commits) => {
      const before = await store.newest(commits);
      const changed = commits.map((commit, index) => {
        const answer = before[index]!;
        return change(commit, 'error' in answer ? undefined : answer.value.commit);
      });
      return store.commit(changed);
    },
  }));

/** The commit with some of the timers that ran before it and do not any more. */
function keepingTimers(
  commit: Commit,
  before: Commit | undefined,
  isKept: (id: string) => boolean,
): Commit {
  const names = new Set(commit.timers.map(({ name }) => name));
  const gone = before?.timers.filter((timer) => !names.has(timer.name)) ?? [];
  const kept = gone.filter(({ name, run }) => isKept(`timer/${name}@${run}`));
  return { ...commit, timers: [...commit.timers, ...kept].toSorted(byDue) };
}

const fires = ({ entries }: Commit, id: string) => entries.some(({ event }) => event.id === id);

const seeingCommit = (change: (commit: Commit) => Commit): Sabotage =>
  seeing(({ commit, hasParked }) => ({ commit: commit && change(commit), hasParked }));

function replaced<Port extends object>(port: Port, others: Partial<Port>): Port {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(name in others ? others : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const clocking = (other: (environment: FireEnvironment) => Partial<FireEnvironment>): Sabotage => ({
  clock: (environment) => ({ ...environment, ...other(environment) }),
});

const isParked = (item?: Item) => item?.sk?.S?.startsWith('PARKED#') ?? false;
const backwards = (text: string) => text.split('').toReversed().join('');
const done = (results: readonly unknown[]): Settled<void>[] =>
  results.map(() => ({ value: undefined }));

/**
 * What each fault does wrong, a finding that gives it away, and, where it is rare, from which seed on
 * to look for it: one in which it is known to show.
 */
export const faults: Readonly<Record<string, readonly [Sabotage, RegExp, number?]>> = {
  'a commit is written without its condition': [
    sending((input) => {
      if (input.Item?.sk?.S?.startsWith('COMMIT#')) delete input.ConditionExpression;
    }),
    /is lost|stands in place of/,
    21,
  ],
  'a lost condition counts as won': [
    storing((store) => ({
      commit: async (commits) =>
        (await store.commit(commits)).map((each) =>
          'error' in each ? each : { value: 'committed' },
        ),
    })),
    /is lost|stands in place of/,
    21,
  ],
  'duplicates are not recognised': [
    seeingCommit((commit) => ({ ...commit, seen: nothingSeen })),
    /is in the history twice/,
  ],
  'what came before the latest 1,000 events is forgotten': [
    {
      flood: true,
      ...seeingCommit((commit) => {
        const { current } = commit.seen;
        return { ...commit, seen: { total: current.length, current, previous: [] } };
      }),
    },
    /is in the history twice/,
    2,
  ],
  'redelivered records are told by their names alone': [
    { flood: true, ...seeingCommit((commit) => ({ ...commit, marks: {} })) },
    /is in the history twice/,
    10,
  ],
  'checkpoints go too far': [
    {
      checkpoints: (store) =>
        replaced(store, {
          save: (positions) =>
            store.save(
              new Map(
                [...positions].map(([shard, position]) => [
                  shard,
                  position.at === 'AFTER_SEQUENCE_NUMBER'
                    ? {
                        ...position,
                        sequenceNumber: String(BigInt(position.sequenceNumber) + 900n),
                      }
                    : position,
                ]),
              ),
            ),
        }),
    },
    /is lost/,
    85,
  ],
  'success is reported for records that failed': [
    { dispatch: (run) => async (records) => (await run(records), []) },
    /is lost/,
  ],
  'only the last of the records that failed is reported': [
    { dispatch: (run) => async (records) => (await run(records)).slice(-1) },
    /is lost|stands in place of/,
    11,
  ],
  'a batch is taken from its end': [
    { dispatch: (run) => (records) => run(records.toReversed()) },
    /stands in place of/,
    4,
  ],
  'the status row is not written': [
    storing(() => ({ writeStatus: (commits) => Promise.resolve(done(commits)) })),
    /status row|the row has/,
  ],
  'the status row may go back': [
    sending((input) => {
      if (input.ConditionExpression?.includes('#version <')) delete input.ConditionExpression;
    }),
    /the row has version/,
    31,
  ],
  'a redelivery does not complete the status row': [
    storing((store) => ({
      writeStatus: async (commits) => {
        await store.writeStatus(commits);
        return done(commits);
      },
    })),
    /status row|the row has/,
    241,
  ],
  'events are parked in no order': [
    sending(({ Item: item, Key: key }) => {
      for (const each of [item, key])
        if (each && isParked(each)) each.sk = { S: `PARKED#${backwards(each.sk!.S!)}` };
    }),
    /stands in place of|for no fault/,
    3,
  ],
  'later events do not wait behind those that are parked': [
    seeing(({ commit }) => ({ commit, hasParked: false })),
    /stands in place of/,
    4,
  ],
  'a redrive takes events out before it applies them': [
    dispatching(({ parking, deadLetters }) => ({
      parking: replaced(parking, {
        oldest: async (instance, limit) => {
          const page = await parking.oldest(instance, limit);
          if (limit === 1) return page;
          for (const { letterId, position } of page) {
            await deadLetters.remove(letterId);
            await parking.remove(instance, position);
          }
          return page;
        },
      }),
    })),
    /is lost/,
    4,
  ],
  'a redrive leaves the letters': [
    dispatching(({ deadLetters }) => ({
      deadLetters: replaced(deadLetters, { remove: () => Promise.resolve() }),
    })),
    /is of an event that is not parked/,
    3,
  ],
  'an event that could not join the queue counts as parked': [
    dispatching(({ parking }) => ({
      parking: replaced(parking, { park: (event) => parking.park(event).catch(() => undefined) }),
    })),
    /is lost|is of an event that is not parked/,
    162,
  ],
  'a letter that could not be put counts as put': [
    dispatching(({ deadLetters }) => ({
      deadLetters: replaced(deadLetters, {
        put: async (letters) => done(await deadLetters.put(letters)),
      }),
    })),
    /has no letter|is lost|is no dead letter/,
  ],
  'dead letters are lost': [
    sending(({ Item: item }) => item?.parked !== undefined || !item?.pk?.S?.startsWith('DEAD#')),
    /is no dead letter|has no model and is no dead letter/,
    3,
  ],
  'a large record loses a part': [
    sending(({ Item: item }) => !item?.pk?.S?.startsWith('PART#')),
    /has other bytes/,
    14,
  ],
  'what is parked is not counted': [
    dispatching(({ parking }) => ({
      parking: replaced(parking, { writeCount: () => Promise.resolve() }),
    })),
    /the row counts/,
    3,
  ],
  'an outage counts as a fault of the model': [
    dispatching(({ models, retry }) => ({
      retry: { ...retry, attempts: 1 },
      models: {
        transition: async (...args) => {
          const invocation = await models.transition(...args);
          return invocation.kind === 'unavailable' ? { ...invocation, kind: 'failed' } : invocation;
        },
      },
    })),
    /is parked and need not be/,
    5,
  ],
  'a rejected event is kept as applied': [
    sending(({ Item: item }) => {
      if (item?.entries) item.entries = { S: item.entries.S!.replaceAll(/"reason":"[^"]*",/g, '') };
    }),
    /is applied, and should not be/,
  ],
  'events that instances send are dropped': [
    sendingOnly(({ type }) => type === 'outcome.recorded'),
    /was never sent/,
  ],
  'events that could not be sent count as sent': [
    sendingBy((stream) => (records) => stream.put(records).catch(() => undefined)),
    /was never sent/,
    19,
  ],
  'events that are sent again have other ids': [
    seeingCommit((commit) => ({ ...commit, entries: shifted(commit) })),
    /was put, and no commit sent it/,
  ],
  "a redelivery does not complete an older commit's effects": [
    storing((store) => ({
      async *before(key, version) {
        for await (const commit of store.before(key, version))
          yield { ...commit, entries: commit.entries.map(withoutEffects) };
      },
    })),
    /was never sent/,
    40,
  ],
  'events are sent in no order': [
    sendingBy((stream) => (records) => stream.put(records.toReversed())),
    /was sent before what comes in front of it/,
    7,
  ],
  'replies are dropped': [
    sendingOnly(({ type }) => type !== 'outcome.recorded'),
    /the reply .* was never sent/,
  ],
  'nobody hears of duplicates': [
    sendingBy(
      (stream) => (records) =>
        stream.put(records.filter(({ data }) => !Buffer.from(data).includes('"duplicate"'))),
    ),
    /nobody was told that/,
  ],
  'people are not told': [
    { model: () => ({ notifier: { publish: () => Promise.resolve() } }) },
    /was published with 0 ids/,
  ],
  'a notice that the bus refused counts as published': [
    {
      model: ({ notifier }) => ({
        notifier: { publish: (notices) => notifier.publish(notices).catch(() => undefined) },
      }),
    },
    /was published with 0 ids/,
    5,
  ],
  'a timer that was stopped runs on': [
    committing((commit, before) => keepingTimers(commit, before, (id) => !fires(commit, id))),
    /has the timers/,
    5,
  ],
  'a timer that fired runs on': [
    committing((commit, before) => keepingTimers(commit, before, (id) => fires(commit, id))),
    /has the timers/,
  ],
  'a timer is told by its name alone': [
    committing((commit) => ({
      ...commit,
      timers: commit.timers.map((timer) => ({ ...timer, run: 'any' })),
    })),
    /has the run of an earlier one/,
    3,
  ],
  'timers are forgotten with the next event': [
    seeingCommit((commit) => ({ ...commit, timers: [] })),
    /has the timers/,
    3,
  ],
  'the status row has no due time': [
    storing((store) => ({
      writeStatus: (commits) => store.writeStatus(commits.map((each) => ({ ...each, timers: [] }))),
    })),
    /did not fire/,
  ],
  'the clock fires too early': [
    clocking(({ clock }) => ({ clock: { ...clock, now: () => clock.now() + 10_000 } })),
    /was fired before it was due/,
    3,
  ],
  'the clock puts off what it never fired': [
    clocking(() => ({ stream: { put: () => Promise.resolve() } })),
    /did not fire/,
  ],
};

const withoutEffects = (entry: Entry): Entry => ({
  ...entry,
  event: { ...entry.event, replyTo: undefined },
  effects: [],
});

/** The entries of a commit, with one effect more in front of those that each has. */
function shifted({ entries }: Commit): Commit['entries'] {
  const more = { kind: 'notify', type: 'More', data: {} } as const;
  return entries.map((entry) => ({ ...entry, effects: [more, ...entry.effects] }));
}
