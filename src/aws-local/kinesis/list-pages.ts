import type { BufferedResponse } from '../endpoints/buffered-request.ts';
import type { Ask } from './iterator-at-timestamp.ts';

/** The default and the maximum number of streams in a response to `ListStreams`, and of shards in `DescribeStream`. */
const maximumResults = 100;

/**
 * Responds to `DescribeStream`. kinesalite ignores `Limit` and `ExclusiveStartShardId`.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DescribeStream.html
 */
export async function describeStream(
  ask: Ask,
  request: { readonly Limit?: unknown; readonly ExclusiveStartShardId?: unknown },
): Promise<BufferedResponse> {
  const response = await ask('DescribeStream', request);
  if (response.status !== 200) return response;
  const { StreamDescription: stream } = JSON.parse(response.body) as {
    StreamDescription: { readonly Shards: readonly { readonly ShardId: string }[] };
  };
  const after = (request.ExclusiveStartShardId ?? '') as string;
  const rest = stream.Shards.filter(({ ShardId }) => ShardId > after);
  const Shards = rest.slice(0, Math.min(Number(request.Limit ?? maximumResults), maximumResults));
  const HasMoreShards = Shards.length < rest.length;
  return withBody(response, { StreamDescription: { ...stream, Shards, HasMoreShards } });
}

/**
 * Responds to `ListStreams`. kinesalite ignores `NextToken` and returns none, and lists 10 streams by default. The
 * token is the name of the last stream.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListStreams.html
 */
export async function listStreams(
  ask: Ask,
  { NextToken, ...request }: Readonly<Record<string, unknown>>,
): Promise<BufferedResponse> {
  const response = await ask('ListStreams', {
    Limit: request['Limit'] ?? maximumResults,
    ExclusiveStartStreamName: NextToken ?? request['ExclusiveStartStreamName'],
  });
  if (response.status !== 200) return response;
  const page = JSON.parse(response.body) as {
    readonly StreamNames: readonly string[];
    readonly HasMoreStreams: boolean;
  };
  const StreamNames = page.StreamNames.slice(0, maximumResults);
  const HasMoreStreams = page.HasMoreStreams || StreamNames.length < page.StreamNames.length;
  const next = HasMoreStreams ? { NextToken: StreamNames.at(-1) } : {};
  return withBody(response, { StreamNames, HasMoreStreams, ...next });
}

const withBody = ({ headers }: BufferedResponse, body: object): BufferedResponse => ({
  status: 200,
  headers,
  body: JSON.stringify(body),
});
