import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import type { UnitsPerEvent } from '../../src/cost/dollars.ts';
import type { Definition } from '../support/definition.ts';
import { MeteredTracker } from './metered-tracker.ts';

/** What a work took of a tracker. */
export interface Consumption {
  readonly events: number;
  readonly eventsPerBatch: number;
  /** How often the model waited for answers in a batch, one after the other. */
  readonly roundsPerBatch: number;
  readonly perEvent: UnitsPerEvent;
  /** Per event, by what they were billed for. */
  readonly writeUnits: Readonly<Record<string, number>>;
  readonly readUnits: Readonly<Record<string, number>>;
  /** Per event, by service and operation. */
  readonly requests: Readonly<Record<string, number>>;
  readonly bytes: Readonly<Record<string, number>>;
  /** Per event, what is kept for good, in bytes as storage is billed. */
  readonly stored: number;
}

/**
 * Has a new tracker apply batches, one after the other, and says what that took.
 *
 * @param before batches that come before, and are not counted.
 */
export async function consumptionOf(
  definition: Definition,
  batches: readonly ShardRecord[][],
  options: { notifications: boolean; environments: number; before?: readonly ShardRecord[][] },
): Promise<Consumption> {
  const tracker = new MeteredTracker(definition, options);
  for (const batch of options.before ?? []) await tracker.deliver(batch);
  tracker.reset();
  for (const batch of batches) await tracker.deliver(batch);
  const { meter, runs } = tracker;
  const records = batches.flat();
  const events = records.length;
  const recordBytes = records.reduce((sum, { data }) => sum + data.byteLength, 0) / events;
  return {
    events,
    eventsPerBatch: events / runs.batches,
    roundsPerBatch: runs.rounds / runs.batches,
    perEvent: {
      writeUnits: meter.writeUnits.total() / events,
      readUnits: meter.readUnits.total() / events,
      busEvents: meter.counts.total('bus events') / events,
      notificationRecords: meter.counts.total('notification records') / events,
      // As many as there are batches with notifications, where it keeps up.
      publisherBatches: runs.withNotifications / events,
      batches: runs.batches / events,
      recordBytes,
    },
    writeUnits: meter.writeUnits.per(events),
    readUnits: meter.readUnits.per(events),
    requests: meter.requests.per(events),
    bytes: meter.bytes.per(events),
    stored: meter.stored.total() / events,
  };
}
