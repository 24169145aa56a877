import { isJsonObject } from '../../common/is-json-object.ts';

/** An HTTP response converted from a function's result. */
export interface OutgoingResponse {
  readonly statusCode: number;
  /** Headers by name in lower case. */
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
}

/**
 * Converts a function's result in payload format 2.0. A result without a `statusCode` becomes the body of a 200
 * response: a string unchanged, any other value as JSON.
 *
 * @see
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html#http-api-develop-integrations-lambda.v2
 * @returns undefined for a result that AWS cannot convert to a response.
 */
export function proxyResult(
  json: string,
  defaultContentType: string,
): OutgoingResponse | undefined {
  const result: unknown = JSON.parse(json);
  if (!isJsonObject(result) || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : json;
    const headers = { 'content-type': 'application/json' };
    return { statusCode: 200, headers, body: Buffer.from(body) };
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded } = result;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (!isJsonObject(headers) || !Array.isArray(cookies) || typeof body !== 'string')
    return undefined;
  const named: Record<string, string | string[]> = { 'content-type': defaultContentType };
  for (const [name, value] of Object.entries(headers)) named[name.toLowerCase()] = String(value);
  if (cookies.length > 0) named['set-cookie'] = cookies.map(String);
  return {
    statusCode: status,
    headers: named,
    body: Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}
