import type { BatchCounts, ModelCounts } from '../../dispatcher/monitoring/metrics.ts';

export interface MetricSettings {
  readonly namespace: string;
  /** True to emit metrics for each model in addition to the metrics that alarms watch. */
  readonly ofModels: boolean;
  /** True to count the stream's records. */
  readonly ofRecords: boolean;
}

/** The maximum number of values for one metric in a line. */
const maximumValues = 100;

type Values = Readonly<Record<string, number | readonly number[]>>;

/**
 * Formats the log lines that CloudWatch extracts metrics from. If metrics are emitted for each model, each model in a
 * batch has one line, plus a line for each additional hundred ages. The last line contains the totals for all models
 * unless all totals are zero.
 *
 * @param at the time of the metrics, in milliseconds since 1970.
 * @see
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function batchLines(
  { namespace, ofModels, ofRecords }: MetricSettings,
  at: number,
  { models, deadLetters, records }: BatchCounts,
): string[] {
  const lines: string[] = [];
  let parked = 0;
  for (const [model, counts] of models) {
    parked += counts.parked;
    if (ofModels)
      for (const values of valuesOf(counts)) lines.push(line(namespace, at, values, model));
  }
  const watched = {
    ...some('DeadLetters', deadLetters),
    ...some('Parked', parked),
    ...(ofRecords && some('Records', records)),
  };
  if (Object.keys(watched).length > 0) lines.push(line(namespace, at, watched));
  return lines;
}

/** Formats the line that counts a model's commit conflicts. */
export function conflictsLine(namespace: string, at: number, model: string, count: number): string {
  return line(namespace, at, { Conflicts: count }, model);
}

/** Formats the line that counts notification records that became dead letters. */
export function refusedNotificationsLine(namespace: string, at: number, count: number): string {
  return line(namespace, at, { RefusedNotifications: count });
}

/** Formats the line that counts one update of counters that DynamoDB permanently rejected. */
export function lostCountLine(namespace: string, at: number): string {
  return line(namespace, at, { LostCounts: 1 });
}

/** Formats the line that counts a commit that the archiver cannot read. */
export function unarchivedCommitLine(namespace: string, at: number): string {
  return line(namespace, at, { UnarchivedCommits: 1 });
}

/** Formats the line that counts the event source mappings that are not working. */
export function faultyEventSourcesLine(namespace: string, at: number, count: number): string {
  return line(namespace, at, { FaultyEventSources: count });
}

/** Formats the line that records how long the canary's event took, in milliseconds. */
export function canaryLatencyLine(namespace: string, at: number, milliseconds: number): string {
  return line(namespace, at, { CanaryLatency: milliseconds });
}

function* valuesOf(counts: Readonly<ModelCounts>): Generator<Values> {
  const { ages } = counts;
  yield {
    ...some('Applied', counts.applied),
    ...some('Rejected', counts.rejected),
    ...some('Duplicates', counts.duplicate),
    ...some('Parked', counts.parked),
    ...some('DeadLetters', counts.deadLetters),
    ...(ages.length > 0 && { Age: ages.slice(0, maximumValues) }),
  };
  for (let next = maximumValues; next < ages.length; next += maximumValues)
    yield { Age: ages.slice(next, next + maximumValues) };
}

/** Omits zeros because CloudWatch charges for each hour in which a metric has a value. */
const some = (name: string, count: number) => (count > 0 ? { [name]: count } : {});

/** The metrics that are durations in milliseconds; all others are counts. */
const timings = new Set(['Age', 'CanaryLatency']);

function line(namespace: string, at: number, values: Values, model?: string): string {
  const metrics = Object.keys(values).map((Name) =>
    timings.has(Name) ? { Name, Unit: 'Milliseconds' } : { Name, Unit: 'Count' },
  );
  const dimensions = model === undefined ? [] : ['model'];
  const directive = { Namespace: namespace, Dimensions: [dimensions], Metrics: metrics };
  return JSON.stringify({
    _aws: { Timestamp: at, CloudWatchMetrics: [directive] },
    ...(model !== undefined && { model }),
    ...values,
  });
}
