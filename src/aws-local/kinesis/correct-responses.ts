import type { RequestListener } from 'node:http';
import { jsonIn } from '../../common/json-in.ts';
import {
  type BufferedRequest,
  type BufferedResponse,
  collectResponse,
} from '../endpoints/buffered-request.ts';
import { getRecords } from './get-records.ts';
import { type Ask, iteratorAtTimestamp } from './iterator-at-timestamp.ts';
import { describeStream, listStreams } from './list-pages.ts';
import { listShards } from './list-shards.ts';
import { rejectStreamName } from './stream-names.ts';

type Request = Readonly<Record<string, unknown>>;

type Correction = (ask: Ask, request: Request) => Promise<BufferedResponse | undefined>;

/** The operations to which kinesalite responds incorrectly. `undefined` leaves the response to kinesalite. */
const corrections: ReadonlyMap<string, Correction> = new Map<string, Correction>([
  ['CreateStream', rejectStreamName],
  ['GetRecords', getRecords],
  ['GetShardIterator', iteratorAtTimestamp],
  ['ListShards', (ask, request) => listShards(ask, request, Date.now())],
  ['DescribeStream', describeStream],
  ['ListStreams', listStreams],
]);

/** Returns the response from kinesalite, corrected where it differs from the response of Kinesis. */
export async function correctedResponse(
  kinesalite: RequestListener,
  request: BufferedRequest,
): Promise<BufferedResponse> {
  const [, operation = ''] = /\.(\w+)$/.exec(String(request.headers['x-amz-target'])) ?? [];
  const correct = corrections.get(operation);
  const input = correct && jsonIn(request.body.toString());
  if (correct === undefined || typeof input !== 'object' || input === null)
    return collectResponse(kinesalite, request);
  const ask: Ask = (name, body) => {
    const asked = requestOf(name, body, request);
    return name === operation
      ? collectResponse(kinesalite, asked)
      : correctedResponse(kinesalite, asked);
  };
  return (await correct(ask, input as Request)) ?? collectResponse(kinesalite, request);
}

/** Returns a request for the given operation, with the credentials of the original request. */
const requestOf = (
  operation: string,
  body: object,
  { headers, ...request }: BufferedRequest,
): BufferedRequest => ({
  ...request,
  headers: {
    ...headers,
    'x-amz-target': String(headers['x-amz-target']).replace(/\w+$/, operation),
  },
  body: Buffer.from(JSON.stringify(body)),
});
