import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import { eventsOf, type Order, type WorkEvent } from './work.ts';

/** When the first event is put, in milliseconds since 1970. */
const start = Date.UTC(2026, 10, 21, 12);

/**
 * The records of events on one shard, which takes as many as it can: 1,000 a second.
 *
 * @param first how many records came before these.
 */
export function recordsOf(events: Iterable<WorkEvent>, first = 0): ShardRecord[] {
  return Array.from(events, (event, index) => ({
    sequenceNumber: `4966${String(first + index).padStart(52, '0')}`,
    partitionKey: event.transactionid,
    data: Buffer.from(JSON.stringify(event)),
    arrivedAt: start + first + index,
  }));
}

/** The records of a work. */
export const recordsOfWork = (order: Order, instances: number, prefix = 'ATV-'): ShardRecord[] =>
  recordsOf(eventsOf({ order, instances, prefix }));
