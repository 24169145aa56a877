import {
  type BufferedRequest,
  type BufferedResponse,
  collectResponse,
  type RequestListener,
} from '../endpoints/buffered-request.ts';
import { correctEmptyPage } from './expired-records.ts';
import { iteratorAtTimestamp } from './iterator-at-timestamp.ts';
import { parseRequest } from './stream-arn.ts';

/** Returns the response of kinesalite to a request, but corrects responses that differ from those of Kinesis. */
export async function correctedResponse(
  kinesalite: RequestListener,
  request: BufferedRequest,
): Promise<BufferedResponse> {
  const [, operation] = /\.(\w+)$/.exec(String(request.headers['x-amz-target'])) ?? [];
  if (operation === 'GetRecords') {
    const response = await collectResponse(kinesalite, request);
    if (response.status !== 200) return response;
    return { ...response, body: correctEmptyPage(request.body.toString(), response.body) };
  }
  if (operation === 'GetShardIterator') {
    const input = parseRequest(request.body.toString());
    const ask = (name: string, body: object) =>
      correctedResponse(kinesalite, requestOf(name, body, request));
    const response = await iteratorAtTimestamp(ask, Object(input) as object);
    if (response !== undefined) return response;
  }
  return collectResponse(kinesalite, request);
}

/** Returns a request for another operation with the same credentials. */
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
