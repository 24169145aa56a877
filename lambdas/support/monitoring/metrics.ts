import {
  batchLines,
  conflictsLine,
  refusedNotificationsLine,
} from '../../../src/aws/monitoring/embedded-metrics.ts';
import { systemClock } from '../../../src/common/clock.ts';
import type { Metrics } from '../../../src/dispatcher/monitoring/metrics.ts';
import { optionalSetting } from '../settings.ts';

const namespace = optionalSetting('MILEPOST_METRICS');

/** Not by the console: in a log of JSON, Lambda would put what it writes into an object of its own. */
const write = (line: string) => process.stdout.write(`${line}\n`);

/** Metrics of the dispatcher's batches; none without `MILEPOST_METRICS`. */
export function batchMetrics(): Metrics | undefined {
  if (namespace === undefined) return undefined;
  const settings = { namespace, ofModels: optionalSetting('MILEPOST_MODEL_METRICS') !== 'off' };
  return {
    recordBatch(counts) {
      for (const line of batchLines(settings, systemClock.now(), counts)) write(line);
    },
  };
}

/** Counts a model's conflicts; not without `MILEPOST_METRICS`. */
export function conflictMetric(model: string): ((count: number) => void) | undefined {
  if (namespace === undefined) return undefined;
  return (count) => write(conflictsLine(namespace, systemClock.now(), model, count));
}

/** Counts dead letters of notifications; not without `MILEPOST_METRICS`. */
export function refusedNotificationMetric(count: number): void {
  if (namespace !== undefined) write(refusedNotificationsLine(namespace, systemClock.now(), count));
}
