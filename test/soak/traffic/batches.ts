import type { SentPut } from './journal.ts';

const maximumRecords = 100;
const maximumBytes = 1_000_000;

/**
 * Returns the number of records at the head of a producer's queue that share the next request. `POST /api/events`
 * preserves the order of an instance's events. PutRecords does not preserve this order, so a PutRecords request
 * contains one record per partition key.
 *
 * @param elapsedMs the time since the start. Records with a later time are not due yet.
 */
export function nextBatch(queue: readonly SentPut[], elapsedMs: number): number {
  const [first] = queue;
  if (!first || first.put.at > elapsedMs) return 0;
  const keys = new Set<string>();
  let bytes = 0;
  let count = 0;
  for (const { put } of queue) {
    const isAlone = count > 0 && !(put.isRetried && first.put.isRetried);
    bytes += put.bytes.byteLength;
    const isFull = count === maximumRecords || (count > 0 && bytes > maximumBytes);
    if (isAlone || isFull || put.at > elapsedMs || put.way !== first.put.way) break;
    if (put.way === 'kinesis' && keys.has(put.partitionKey)) break;
    keys.add(put.partitionKey);
    count += 1;
  }
  return count;
}
