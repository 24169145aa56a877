import type { SentPut } from './journal.ts';

const maximumRecords = 100;
const maximumBytes = 1_000_000;

/**
 * The number of records at the head of a producer's queue that share the next request. `POST /api/events` keeps the
 * order of an instance's events, but PutRecords does not, so it contains one record of each partition key.
 *
 * @param elapsedMs the time since the start; later records are not due
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
