import * as v from 'valibot';
import { jsonIn } from '../../common/json-in.ts';
import type { BufferedResponse } from '../endpoints/buffered-request.ts';
import { errorResponse } from './error-response.ts';
import type { Ask } from './iterator-at-timestamp.ts';
import {
  filterShards,
  type ListedShard,
  type StreamLifetime,
  shardFilter,
} from './shard-filter.ts';

type Request = Readonly<Record<string, unknown>>;

/** The request for the next page, as the token contains it. `expires` is in milliseconds since 1970. */
const nextPage = v.object({
  StreamName: v.string(),
  ExclusiveStartShardId: v.string(),
  ShardFilter: shardFilter,
  expires: v.number(),
});

/** The members of a request that cannot be combined with `NextToken`. */
const firstPageOnly = [
  ...['StreamName', 'StreamCreationTimestamp', 'ExclusiveStartShardId', 'ShardFilter'],
];

const maximumResults = 1_000;
const tokenLifetimeMs = 300_000;

/**
 * Responds to `ListShards`. kinesalite ignores `MaxResults`, `NextToken`, and `ShardFilter`.
 *
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_ListShards.html
 */
export async function listShards(
  ask: Ask,
  { NextToken: token, ...request }: Request,
  now: number,
): Promise<BufferedResponse> {
  if (typeof token !== 'string') return listPage(ask, request, now);
  const other = firstPageOnly.find((name) => request[name] !== undefined && request[name] !== null);
  if (other !== undefined)
    return errorResponse(
      'InvalidArgumentException',
      `NextToken and ${other} cannot be provided together.`,
    );
  const parsed = v.safeParse(nextPage, jsonIn(Buffer.from(token, 'base64url').toString()));
  if (!parsed.success)
    return errorResponse(
      'InvalidArgumentException',
      'NextToken is not from a response to ListShards.',
    );
  const { expires, ...rest } = parsed.output;
  if (expires < now)
    return errorResponse(
      'ExpiredNextTokenException',
      'NextToken has expired. List the shards from the start.',
    );
  return listPage(ask, { ...request, ...rest }, now);
}

async function listPage(ask: Ask, request: Request, now: number): Promise<BufferedResponse> {
  const parsed = v.safeParse(shardFilter, request['ShardFilter'] ?? { Type: 'FROM_TRIM_HORIZON' });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return errorResponse(
      'InvalidArgumentException',
      `ShardFilter.${v.getDotPath(issue)}: ${issue.message}`,
    );
  }
  const { StreamName } = request;
  const response = await ask('ListShards', request);
  const summary = await ask('DescribeStreamSummary', { StreamName });
  if (response.status !== 200) return response;
  if (summary.status !== 200) return summary;
  const { Shards: shards } = JSON.parse(response.body) as { Shards: ListedShard[] };
  const { StreamDescriptionSummary: lifetime } = JSON.parse(summary.body) as {
    StreamDescriptionSummary: StreamLifetime;
  };
  const listed = filterShards(shards, parsed.output, lifetime, now);
  const page = listed.slice(
    0,
    Math.min(Number(request['MaxResults'] ?? maximumResults), maximumResults),
  );
  const body = {
    Shards: page,
    ...(page.length < listed.length && {
      NextToken: tokenOf({
        StreamName: String(StreamName),
        ExclusiveStartShardId: page.at(-1)!.ShardId,
        ShardFilter: parsed.output,
        expires: now + tokenLifetimeMs,
      }),
    }),
  };
  return { status: 200, headers: response.headers, body: JSON.stringify(body) };
}

const tokenOf = (position: v.InferOutput<typeof nextPage>): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');
