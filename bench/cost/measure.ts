import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import type { UnitsPerEvent } from '../../src/cost/dollars.ts';
import type { Definition } from '../support/definition.ts';
import { MeteredTracker } from './metered-tracker.ts';

/** The resources that a workload consumes. */
export interface Consumption {
  readonly events: number;
  readonly eventsPerBatch: number;
  /** How many times per batch the model waits for responses. */
  readonly roundsPerBatch: number;
  readonly perEvent: UnitsPerEvent;
  /** Write units per event, by item kind or index name. */
  readonly writeUnits: Readonly<Record<string, number>>;
  readonly readUnits: Readonly<Record<string, number>>;
  /** Requests per event, by service and operation. */
  readonly requests: Readonly<Record<string, number>>;
  readonly bytes: Readonly<Record<string, number>>;
  /** The permanently stored data per event, in billed bytes. */
  readonly stored: number;
}

/**
 * Applies batches sequentially to a new tracker and returns the consumed resources.
 *
 * @param before batches to apply before the measurement.
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
      // If the publisher keeps up, it runs once per batch with notifications.
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
