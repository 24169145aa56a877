import {
  batchLines,
  conflictsLine,
  refusedNotificationsLine,
} from '../../../src/aws/monitoring/embedded-metrics.ts';
import { systemClock } from '../../../src/common/clock.ts';
import type { Metrics } from '../../../src/dispatcher/monitoring/metrics.ts';
import { optionalSetting } from '../settings.ts';

const namespace = optionalSetting('MILEPOST_METRICS');

/** Writes a line directly: with JSON logs, Lambda would wrap the output of `console` in another object. */
const write = (line: string) => process.stdout.write(`${line}\n`);

/** The metrics of the dispatcher's batches; undefined without `MILEPOST_METRICS`. */
export function batchMetrics(): Metrics | undefined {
  if (namespace === undefined) return undefined;
  const settings = { namespace, ofModels: optionalSetting('MILEPOST_MODEL_METRICS') !== 'off' };
  return {
    recordBatch(counts) {
      for (const line of batchLines(settings, systemClock.now(), counts)) write(line);
    },
  };
}

/** Counts the conflicts of a model; undefined without `MILEPOST_METRICS`. */
export function conflictMetric(model: string): ((count: number) => void) | undefined {
  if (namespace === undefined) return undefined;
  return (count) => write(conflictsLine(namespace, systemClock.now(), model, count));
}

/** Counts dead letters of notifications; does nothing without `MILEPOST_METRICS`. */
export function refusedNotificationMetric(count: number): void {
  if (namespace !== undefined) write(refusedNotificationsLine(namespace, systemClock.now(), count));
}
