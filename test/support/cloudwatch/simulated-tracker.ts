import { MetricSamples } from './metric-samples.ts';
import { type ConsumerBehavior, simulateConsumer } from './simulated-consumer.ts';
import { simulateFirehose } from './simulated-firehose.ts';

/** The load and the faults of a simulated tracker. */
export interface TrackerScenario {
  readonly minutes: number;
  /** The arrivals of events on the stream, in seconds, ascending. */
  readonly arrivals: readonly number[];
  readonly dispatcher?: (second: number) => ConsumerBehavior;
  readonly publisher?: (second: number) => ConsumerBehavior;
  readonly archiver?: (second: number) => ConsumerBehavior;
  readonly counter?: (second: number) => ConsumerBehavior;
  /** Whether Firehose can write to the archive. */
  readonly firehose?: (minute: number) => 'runs' | 'fails';
  /** Returns true if Lambda drops a record that the dispatcher would process at this second. Default: none. */
  readonly drops?: (second: number) => boolean;
  /** Returns true for each minute in which the canary runs. Default: none. */
  readonly canaryRuns?: (minute: number) => boolean;
  readonly clock?: (minute: number) => 'runs' | 'fails' | 'throttled' | 'disabled';
  /** The seconds between two attempts of a batch. Default: 30. */
  readonly retryAfter?: number;
  /** The minutes in which other metrics have the value 1, by the name of the metric. */
  readonly occurrences?: Readonly<Record<string, readonly number[]>>;
}

/** Simulates a tracker with one model and returns all metrics that its alarms read. */
export function simulateTracker(
  {
    minutes,
    arrivals,
    dispatcher = () => 'works',
    publisher = () => 'works',
    archiver = () => 'works',
    counter = () => 'works',
    firehose = () => 'runs',
    clock = () => 'runs',
    drops = () => false,
    canaryRuns = () => false,
    retryAfter = 30,
    occurrences = {},
  }: TrackerScenario,
  /** Whether the streams report the age of records while a mapping retries a batch. */
  { reportsReadAge }: { readonly reportsReadAge: boolean },
): ReadonlyMap<string, MetricSamples> {
  const metrics = new Map<string, MetricSamples>();
  const metric = (name: string) => {
    const samples = metrics.get(name) ?? new MetricSamples();
    metrics.set(name, samples);
    return samples;
  };
  const consumers = { dispatcher, publisher, archiver, counter };
  const consume = (name: keyof typeof consumers, given: readonly number[], stream?: string) => {
    const path = functionPaths[name];
    if (stream)
      for (const second of given)
        metric(`AWS/Kinesis IncomingRecords ${stream}`).add(Math.floor(second / 60), 1);
    return simulateConsumer({
      arrivals: given,
      minutes,
      behavior: consumers[name],
      retryAfter,
      timeout: timeouts[name],
      functionMetric: (each) => metric(`AWS/Lambda ${each} ${path}`),
      ...(stream &&
        reportsReadAge && {
          readAge: metric(`AWS/Kinesis GetRecords.IteratorAgeMilliseconds ${stream}`),
        }),
    });
  };
  const ofCanary = Array.from({ length: minutes }, (_, minute) => minute)
    .filter(canaryRuns)
    .map((minute) => minute * 60 + canaryOffset);
  const all = [...arrivals, ...ofCanary].toSorted((a, b) => a - b);
  const events = consume('dispatcher', all, 'Stream');
  // Kinesis uses a different metric for the age of pushed records.
  metrics.set(
    'AWS/Kinesis SubscribeToShardEvent.MillisBehindLatest DispatcherConsumer.ConsumerName Stream',
    metric('AWS/Kinesis GetRecords.IteratorAgeMilliseconds Stream'),
  );
  for (const second of events.processed)
    if (!drops(second)) metric('Milepost/milepost-events Records').add(Math.floor(second / 60), 1);
  for (const second of ofCanary) {
    const took = (events.processed[all.indexOf(second)] ?? Number.POSITIVE_INFINITY) - second;
    if (took < canaryPatience)
      metric('Milepost/milepost-events CanaryLatency').add(Math.floor(second / 60), took * 1_000);
  }
  const notifications = consume('publisher', events.processed, 'NotificationStream');
  const commits = consume('archiver', events.processed);
  simulateFirehose(
    commits.processed.toSorted((a, b) => a - b),
    minutes,
    firehose,
    metric('AWS/Firehose DeliveryToS3.DataFreshness ArchiveStream'),
  );
  const rows = consume('counter', events.processed);
  for (let minute = 0; minute < minutes; minute++) {
    const run = clock(minute);
    if (run === 'runs' || run === 'fails') {
      metric('AWS/Lambda Invocations ClockFunction').add(minute, 1);
      metric('AWS/Lambda Errors ClockFunction').add(minute, run === 'fails' ? 1 : 0);
      const faulty = [events, notifications, commits, rows].filter((each) => each.isFaulty[minute]);
      if (faulty.length > 0)
        metric('Milepost/milepost-events FaultyEventSources').add(minute, faulty.length);
    }
  }
  for (const [name, when] of Object.entries(occurrences))
    for (const minute of when) metric(name).add(minute, 1);
  return metrics;
}

/** The paths of the functions in the tracker. */
const functionPaths = {
  dispatcher: 'DispatcherFunction',
  publisher: 'PublisherFunction',
  archiver: 'ArchiveArchiverFunction',
  counter: 'CounterFunction',
};

/**
 * The second of a minute at which the canary puts its event, and the number of seconds that it waits for the status.
 */
const [canaryOffset, canaryPatience] = [30, 55];

/** The timeouts of the functions, in seconds. */
const timeouts = { dispatcher: 900, publisher: 60, archiver: 120, counter: 60 };
