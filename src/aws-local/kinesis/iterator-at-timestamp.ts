import type { BufferedResponse } from '../endpoints/buffered-request.ts';

/** Sends a request to kinesalite. */
export type Ask = (operation: string, request: object) => Promise<BufferedResponse>;

interface Request {
  readonly StreamName?: unknown;
  readonly ShardId?: unknown;
  readonly ShardIteratorType?: unknown;
  readonly Timestamp?: unknown;
}

interface RecordPage {
  readonly Records: readonly {
    readonly SequenceNumber: string;
    readonly ApproximateArrivalTimestamp: number;
  }[];
  readonly NextShardIterator?: string;
}

/**
 * Responds to `GetShardIterator` with the type `AT_TIMESTAMP`. kinesalite never responds to such a request if the shard
 * has no record since the time.
 *
 * @returns undefined if the request has another type or an invalid time, so that kinesalite can respond
 */
export async function iteratorAtTimestamp(
  ask: Ask,
  { StreamName, ShardId, ShardIteratorType, Timestamp }: Request,
): Promise<BufferedResponse | undefined> {
  if (ShardIteratorType !== 'AT_TIMESTAMP' || !isPast(Timestamp)) return undefined;
  const iterator = (position: object) =>
    ask('GetShardIterator', { StreamName, ShardId, ...position });
  // Get this iterator before the search, so that a record that is put during the search is not skipped.
  const latest = await iterator({ ShardIteratorType: 'LATEST' });
  if (latest.status !== 200) return latest;
  const first = await iterator({ ShardIteratorType: 'TRIM_HORIZON' });
  let next = iteratorOf(first);
  while (next !== undefined) {
    const response = await ask('GetRecords', { ShardIterator: next });
    if (response.status !== 200) return response;
    const page = JSON.parse(response.body) as RecordPage;
    const found = page.Records.find((record) => record.ApproximateArrivalTimestamp >= Timestamp);
    if (found !== undefined)
      return iterator({
        ShardIteratorType: 'AT_SEQUENCE_NUMBER',
        StartingSequenceNumber: found.SequenceNumber,
      });
    if (page.Records.length === 0) break;
    next = page.NextShardIterator;
  }
  return latest;
}

const isPast = (timestamp: unknown): timestamp is number =>
  typeof timestamp === 'number' && timestamp * 1000 <= Date.now();

const iteratorOf = ({ body }: BufferedResponse): string | undefined =>
  (JSON.parse(body) as { ShardIterator?: string }).ShardIterator;
