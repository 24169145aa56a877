import {
  batchLines,
  canaryLatencyLine,
  conflictsLine,
  faultyEventSourcesLine,
  lostCountLine,
  refusedNotificationsLine,
  unarchivedCommitLine,
} from '../../../src/aws/monitoring/embedded-metrics.ts';
import { systemClock } from '../../../src/common/clock.ts';
import type { Metrics } from '../../../src/dispatcher/monitoring/metrics.ts';
import { optionalSetting } from '../settings.ts';

const namespace = optionalSetting('MILEPOST_METRICS');

/**
 * Writes a line directly to standard output, because Lambda wraps the output of `console` in an additional object if
 * logs are JSON.
 */
const write = (line: string) => process.stdout.write(`${line}\n`);

/** Returns the recorder of the dispatcher's metrics; undefined if `MILEPOST_METRICS` is not set. */
export function batchMetrics(): Metrics | undefined {
  if (namespace === undefined) return undefined;
  const settings = {
    namespace,
    ofModels: optionalSetting('MILEPOST_MODEL_METRICS') !== 'off',
    ofRecords: optionalSetting('MILEPOST_RECORD_METRIC') === 'on',
  };
  return {
    recordBatch(counts) {
      for (const line of batchLines(settings, systemClock.now(), counts)) write(line);
    },
  };
}

/** Returns a function that counts the commit conflicts of a model; undefined if `MILEPOST_METRICS` is not set. */
export function conflictMetric(model: string): ((count: number) => void) | undefined {
  if (namespace === undefined) return undefined;
  return (count) => write(conflictsLine(namespace, systemClock.now(), model, count));
}

/** Records the latency of the canary's event, in milliseconds. Has no effect if `MILEPOST_METRICS` is not set. */
export function canaryLatencyMetric(milliseconds: number): void {
  if (namespace !== undefined) write(canaryLatencyLine(namespace, systemClock.now(), milliseconds));
}

/** Counts event source mappings that do not work. Has no effect if `MILEPOST_METRICS` is not set. */
export function faultyEventSourceMetric(count: number): void {
  if (namespace !== undefined) write(faultyEventSourcesLine(namespace, systemClock.now(), count));
}

/** Counts an update of counters that DynamoDB permanently rejected. Has no effect if `MILEPOST_METRICS` is not set. */
export function lostCountMetric(): void {
  if (namespace !== undefined) write(lostCountLine(namespace, systemClock.now()));
}

/** Counts dead letters of notifications. Has no effect if `MILEPOST_METRICS` is not set. */
export function refusedNotificationMetric(count: number): void {
  if (namespace !== undefined) write(refusedNotificationsLine(namespace, systemClock.now(), count));
}

/** Counts a commit that the archiver cannot read. Has no effect if `MILEPOST_METRICS` is not set. */
export function unarchivedCommitMetric(): void {
  if (namespace !== undefined) write(unarchivedCommitLine(namespace, systemClock.now()));
}
