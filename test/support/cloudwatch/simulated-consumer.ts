import type { MetricSamples } from './metric-samples.ts';

/** The behavior of a consumer's event source mapping and function at a moment. */
export type ConsumerBehavior =
  | 'works'
  /** The mapping reads, but the function is not free yet. */
  | 'busy'
  /** The function fails immediately. */
  | 'fails'
  /** The function runs until it times out. */
  | 'hangs'
  /** Lambda throttles the function. */
  | 'throttled'
  /** An operator disabled the mapping. */
  | 'disabled'
  /** The mapping has no permission to read the stream. */
  | 'unauthorized';

export interface SimulatedConsumer {
  /** The arrivals of records on the stream, in seconds, ascending. */
  readonly arrivals: readonly number[];
  /** How long the simulation runs, in minutes. */
  readonly minutes: number;
  /** @param second the second since the start of the simulation */
  readonly behavior: (second: number) => ConsumerBehavior;
  /** The seconds between two attempts of a batch. */
  readonly retryAfter: number;
  /** The function's timeout in seconds. */
  readonly timeout: number;
  /** Returns the samples of a metric of the function, such as `Errors`. */
  readonly functionMetric: (name: string) => MetricSamples;
  /** The age of the records that the mapping reads, if the stream reports it while records are retried. */
  readonly readAge?: MetricSamples;
}

export interface ConsumerResult {
  /** When records were processed, in seconds since the start of the simulation. */
  readonly processed: readonly number[];
  /** An element for each minute: true if, at its end, the mapping is disabled or its last result is a problem. */
  readonly isFaulty: readonly boolean[];
}

/**
 * Simulates a function that reads a stream through one lane of an event source mapping, and records the metrics that
 * Lambda and Kinesis document. A failed batch is retried until it succeeds. The metrics of an invocation have the
 * timestamp of its start but appear at its end.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 */
export function simulateConsumer({
  arrivals,
  minutes,
  behavior,
  retryAfter,
  timeout,
  functionMetric,
  readAge,
}: SimulatedConsumer): ConsumerResult {
  const processed: number[] = [];
  const isFaulty: boolean[] = [];
  let batch: readonly number[] = [];
  let read = 0;
  let nextAttempt = 0;
  let isProblem = false;
  for (let second = 0; second < minutes * 60; second++) {
    const minute = Math.floor(second / 60);
    const now = behavior(second);
    const reads = now !== 'disabled' && now !== 'unauthorized';
    if (now === 'unauthorized') isProblem = true;
    if (reads && batch.length === 0) {
      const from = read;
      while (read < arrivals.length && arrivals[read]! < second) read++;
      batch = arrivals.slice(from, read);
    }
    if (reads && batch.length === 0 && isProblem) isProblem = false;
    if (reads && batch.length > 0 && second >= nextAttempt && now !== 'busy') {
      const end = now === 'hangs' ? second + timeout : second;
      const invoke = (errors: number) => {
        const visible = Math.floor(end / 60);
        functionMetric('Invocations').add(minute, 1, visible);
        functionMetric('Errors').add(minute, errors, visible);
        functionMetric('Throttles').add(minute, 0, visible);
        functionMetric('Duration').add(minute, (end - second) * 1_000, visible);
        functionMetric('IteratorAge').add(minute, (second - batch.at(-1)!) * 1_000, visible);
      };
      isProblem = now !== 'works';
      if (now === 'throttled') functionMetric('Throttles').add(minute, 1);
      else invoke(now === 'works' ? 0 : 1);
      if (now === 'works') {
        processed.push(...batch.map(() => second));
        batch = [];
      } else nextAttempt = end + retryAfter;
    }
    if (second % 60 === 59) {
      isFaulty.push(now === 'disabled' || isProblem);
      if (reads) readAge?.add(minute, batch.length > 0 ? (second - batch[0]!) * 1_000 : 0);
    }
  }
  return { processed, isFaulty };
}
