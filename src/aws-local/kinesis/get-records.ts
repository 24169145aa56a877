import type { BufferedResponse } from '../endpoints/buffered-request.ts';
import { millisSkipped } from './expired-records.ts';
import type { Ask } from './iterator-at-timestamp.ts';
import { positionOf } from './iterator-position.ts';
import { maximumPageBytes } from './limit-pages.ts';
import type { RecordPage } from './record-page.ts';
import type { ListedShard } from './shard-filter.ts';

/**
 * The maximum number of records on a page without a `Limit`, and the maximum size of the data in a record, in bytes.
 */
const defaultLimit = 10_000;
const maximumRecordBytes = 1024 * 1024;

/** The minimum retention period of a stream, in milliseconds. */
const minimumRetentionMs = 24 * 3_600_000;

interface Request {
  readonly ShardIterator?: unknown;
  readonly Limit?: unknown;
}

/**
 * Responds to `GetRecords`. kinesalite returns 0 as `MillisBehindLatest` for every open shard, so a client that reads
 * until 0 would miss the records after the first page.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetRecords.html
 */
export async function getRecords(ask: Ask, request: Request): Promise<BufferedResponse> {
  const response = await ask('GetRecords', request);
  if (response.status !== 200) return response;
  const page = JSON.parse(response.body) as RecordPage;
  const { Records, NextShardIterator: next } = page;
  if (next === undefined) return response;
  const iterator = request.ShardIterator as string;
  const limit = Number(request.Limit ?? defaultLimit);
  let MillisBehindLatest = 0;
  if (Records.length === 0) {
    MillisBehindLatest = millisSkipped(iterator, next);
    if (MillisBehindLatest === 0) return (await endOfShard(ask, request)) ?? response;
  } else if (canHaveNext(response.body, iterator, next, limit))
    MillisBehindLatest = await millisBehind(ask, next);
  if (MillisBehindLatest === 0) return response;
  return { ...response, body: JSON.stringify({ ...page, MillisBehindLatest }) };
}

/** Returns false if the page certainly contains the last record of the shard. For most pages, this saves a request. */
function canHaveNext(body: string, iterator: string, next: string, limit: number): boolean {
  const [first, last] = [positionOf(iterator), positionOf(next)];
  // Expired records count toward the size of the page, but the response does not contain them.
  if ((first.seqTime ?? 0) < Date.now() - minimumRetentionMs) return true;
  // The records of a shard have different indexes, although not all indexes have a record.
  if (BigInt(last.seqIx ?? 0) - BigInt(first.seqIx ?? 0) + 1n >= limit) return true;
  return Buffer.byteLength(body) >= maximumPageBytes - 2 * maximumRecordBytes;
}

/**
 * Returns how far an iterator is behind the current time, in milliseconds: the age of the record at the iterator, at
 * least 1, or 0 if no record follows.
 */
async function millisBehind(ask: Ask, ShardIterator: string): Promise<number> {
  const response = await ask('GetRecords', { ShardIterator, Limit: 1 });
  if (response.status !== 200) return 0;
  const { Records, NextShardIterator: next } = JSON.parse(response.body) as RecordPage;
  const [record] = Records;
  if (record === undefined) return next === undefined ? 0 : millisSkipped(ShardIterator, next);
  return Math.max(1, Math.round(Date.now() - record.ApproximateArrivalTimestamp * 1_000));
}

/**
 * Returns the last page of a closed shard, or undefined if the shard is open or has another record. kinesalite reports
 * the end of a shard only if the current time is later than that end. If the clock was set back, the shard's children
 * would therefore wait for hours.
 */
async function endOfShard(ask: Ask, request: Request): Promise<BufferedResponse | undefined> {
  const iterator = request.ShardIterator as string;
  if (!(await isClosed(ask, iterator))) return undefined;
  // A record could be put after the empty page was read and before the shard was closed.
  const response = await ask('GetRecords', request);
  if (response.status !== 200) return undefined;
  const { Records, NextShardIterator: next } = JSON.parse(response.body) as RecordPage;
  if (Records.length > 0 || (next !== undefined && millisSkipped(iterator, next) > 0))
    return undefined;
  return { ...response, body: JSON.stringify({ Records: [], MillisBehindLatest: 0 }) };
}

async function isClosed(ask: Ask, iterator: string): Promise<boolean> {
  const { streamName: StreamName, shardId } = positionOf(iterator);
  // At most ten shard ids differ only in their last digit.
  const request = { StreamName, ExclusiveStartShardId: shardId.slice(0, -1), Limit: 10 };
  const response = await ask('DescribeStream', request);
  if (response.status !== 200) return false;
  const { StreamDescription: stream } = JSON.parse(response.body) as {
    StreamDescription: { readonly Shards: readonly ListedShard[] };
  };
  const shard = stream.Shards.find(({ ShardId }) => ShardId === shardId);
  return shard?.SequenceNumberRange.EndingSequenceNumber !== undefined;
}
