import type { BufferedResponse } from '../endpoints/buffered-request.ts';
import { millisSkipped } from './expired-records.ts';
import type { Ask } from './iterator-at-timestamp.ts';
import { positionOf } from './iterator-position.ts';
import { maximumPageBytes } from './limit-pages.ts';
import type { RecordPage } from './record-page.ts';

/** The limits of a page without a `Limit`, and of the data in a record. */
const defaultLimit = 10_000;
const maximumRecordBytes = 1024 * 1024;

/**
 * Responds to `GetRecords`. kinesalite returns 0 as `MillisBehindLatest` for every open shard, so a client that reads
 * until 0 would miss the records after the first page.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetRecords.html
 */
export async function getRecords(
  ask: Ask,
  request: { readonly ShardIterator?: unknown; readonly Limit?: unknown },
): Promise<BufferedResponse> {
  const response = await ask('GetRecords', request);
  if (response.status !== 200) return response;
  const page = JSON.parse(response.body) as RecordPage;
  const { Records, NextShardIterator: next } = page;
  if (next === undefined) return response;
  const iterator = request.ShardIterator as string;
  const limit = Number(request.Limit ?? defaultLimit);
  let MillisBehindLatest = 0;
  if (Records.length === 0) MillisBehindLatest = millisSkipped(iterator, next);
  else if (isFull(response.body, iterator, next, limit))
    MillisBehindLatest = await millisBehind(ask, next);
  if (MillisBehindLatest === 0) return response;
  return { ...response, body: JSON.stringify({ ...page, MillisBehindLatest }) };
}

/** Returns false if the page certainly contains the last record of the shard, which saves a request for most pages. */
function isFull(body: string, iterator: string, next: string, limit: number): boolean {
  // The records of a shard have different indexes, although not all indexes have a record.
  const [first, last] = [iterator, next].map((each) => BigInt(positionOf(each).seqIx ?? 0));
  return last! - first! + 1n >= limit || body.length >= maximumPageBytes - 2 * maximumRecordBytes;
}

/** Returns the age of the record at an iterator, which is at least 1; 0 if there is no record. */
async function millisBehind(ask: Ask, ShardIterator: string): Promise<number> {
  const response = await ask('GetRecords', { ShardIterator, Limit: 1 });
  if (response.status !== 200) return 0;
  const [record] = (JSON.parse(response.body) as RecordPage).Records;
  if (record === undefined) return 0;
  return Math.max(1, Math.round(Date.now() - record.ApproximateArrivalTimestamp * 1_000));
}
