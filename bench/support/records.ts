import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import { eventsOf, type Order, type WorkEvent } from './work.ts';

/** The arrival time of the first record, in milliseconds since 1970. */
const start = Date.UTC(2026, 10, 21, 12);

/**
 * Converts events to records of one shard. The records arrive at the shard's maximum rate of 1,000 per second.
 *
 * @param first the number of records that arrived earlier.
 */
export function recordsOf(events: Iterable<WorkEvent>, first = 0): ShardRecord[] {
  return Array.from(events, (event, index) => ({
    sequenceNumber: `4966${String(first + index).padStart(52, '0')}`,
    partitionKey: event.transactionid,
    data: Buffer.from(JSON.stringify(event)),
    arrivedAt: start + first + index,
  }));
}

/** Returns the events of a workload as records of one shard. */
export const recordsOfWork = (order: Order, instances: number, prefix = 'ATV-'): ShardRecord[] =>
  recordsOf(eventsOf({ order, instances, prefix }));
