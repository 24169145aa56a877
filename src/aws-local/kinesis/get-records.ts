import type { BufferedResponse } from '../endpoints/buffered-request.ts';
import { millisSkipped } from './expired-records.ts';
import type { Ask } from './iterator-at-timestamp.ts';
import type { RecordPage } from './record-page.ts';

/**
 * Responds to `GetRecords`. kinesalite returns 0 as `MillisBehindLatest` for every open shard, so a client that reads
 * until 0 would miss the records after the first page.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetRecords.html
 */
export async function getRecords(
  ask: Ask,
  request: { readonly ShardIterator?: unknown },
): Promise<BufferedResponse> {
  const response = await ask('GetRecords', request);
  if (response.status !== 200) return response;
  const page = JSON.parse(response.body) as RecordPage;
  const { Records, NextShardIterator: next } = page;
  if (next === undefined) return response;
  const MillisBehindLatest =
    Records.length === 0
      ? millisSkipped(request.ShardIterator as string, next)
      : await millisBehind(ask, next);
  if (MillisBehindLatest === 0) return response;
  return { ...response, body: JSON.stringify({ ...page, MillisBehindLatest }) };
}

/** Returns the age of the record at an iterator, which is at least 1; 0 if there is no record. */
async function millisBehind(ask: Ask, ShardIterator: string): Promise<number> {
  const response = await ask('GetRecords', { ShardIterator, Limit: 1 });
  if (response.status !== 200) return 0;
  const [record] = (JSON.parse(response.body) as RecordPage).Records;
  if (record === undefined) return 0;
  return Math.max(1, Math.round(Date.now() - record.ApproximateArrivalTimestamp * 1_000));
}
