import type { BufferedResponse } from '../endpoints/buffered-request.ts';
import { errorResponse } from './error-response.ts';
import type { RecordPage } from './record-page.ts';

/** Sends a request for an operation. */
export type Ask = (operation: string, request: object) => Promise<BufferedResponse>;

interface Request {
  readonly StreamName?: unknown;
  readonly ShardId?: unknown;
  readonly ShardIteratorType?: unknown;
  readonly Timestamp?: unknown;
}

/** The number of records to search per request. A record can take up to 1 MB. */
const pageSize = 100;

/**
 * Responds to `GetShardIterator` with the type `AT_TIMESTAMP`. kinesalite never responds to such a request if the shard
 * has no record from that time or later.
 *
 * @returns undefined if the request has a different type or no valid time so that kinesalite can respond.
 */
export async function iteratorAtTimestamp(
  ask: Ask,
  { StreamName, ShardId, ShardIteratorType, Timestamp }: Request,
): Promise<BufferedResponse | undefined> {
  if (ShardIteratorType !== 'AT_TIMESTAMP' || typeof Timestamp !== 'number') return undefined;
  const now = Date.now();
  if (Timestamp * 1000 > now) return futureTime(Timestamp * 1000, now);
  const iterator = (position: object) =>
    ask('GetShardIterator', { StreamName, ShardId, ...position });
  // Get this iterator before the search so that a record that is put during the search is not skipped.
  const latest = await iterator({ ShardIteratorType: 'LATEST' });
  if (latest.status !== 200) return latest;
  const first = await iterator({ ShardIteratorType: 'TRIM_HORIZON' });
  let next = iteratorOf(first);
  while (next !== undefined) {
    const response = await ask('GetRecords', { ShardIterator: next, Limit: pageSize });
    if (response.status !== 200) return response;
    const page = JSON.parse(response.body) as RecordPage;
    const found = page.Records.find((record) => record.ApproximateArrivalTimestamp >= Timestamp);
    if (found !== undefined)
      return iterator({
        ShardIteratorType: 'AT_SEQUENCE_NUMBER',
        StartingSequenceNumber: found.SequenceNumber,
      });
    if (page.Records.length === 0 && page.MillisBehindLatest === 0) break;
    next = page.NextShardIterator;
  }
  return latest;
}

function futureTime(timestamp: number, now: number): BufferedResponse {
  const message = `The timestampInMillis parameter cannot be greater than the currentTimestampInMillis. timestampInMillis: ${timestamp}, currentTimestampInMillis: ${now}`;
  return errorResponse('InvalidArgumentException', message);
}

const iteratorOf = ({ body }: BufferedResponse): string | undefined =>
  (JSON.parse(body) as { ShardIterator?: string }).ShardIterator;
