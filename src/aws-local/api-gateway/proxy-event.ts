import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { MatchedRoute } from '../../common/match-route.ts';
import { accountId } from '../account.ts';
import type { EventPaths } from './ingress.ts';

export interface IncomingRequest {
  readonly method: string;
  /** The path and query, not decoded. */
  readonly target: string;
  /** Alternating names and values, like `http.IncomingMessage.rawHeaders`. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly httpVersion: string;
  /** The port that received the request. */
  readonly port: number;
}

/** The data that the gateway adds to a request's event. */
export interface RequestOrigin {
  readonly requestId: string;
  /** The time of the request, in milliseconds since 1970. */
  readonly timeEpoch: number;
  readonly keepsCookieHeader: boolean;
}

/**
 * Media types whose bodies are passed as text if they are valid UTF-8 and have no `Content-Encoding`. Other bodies are
 * Base64-encoded.
 */
const textual = /^(?:text\/|application\/(?:json|javascript|xml)\b|[^;]+\+(?:json|xml)\b)/i;

/**
 * Converts a request to an event in payload format 2.0.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function proxyEvent(
  request: IncomingRequest,
  { rawPath, path }: Omit<EventPaths, 'matched'>,
  { routeKey, pathParameters }: MatchedRoute,
  origin: RequestOrigin,
): APIGatewayProxyEventV2 {
  const [, rawQueryString = ''] = /\?(.*)$/s.exec(request.target) ?? [];
  const { headers, cookies } = readHeaders(request, origin.keepsCookieHeader);
  // AWS does not document the event of a request whose textual body is not valid UTF-8. Here, the function receives the
  // original bytes because decoding them would replace the invalid bytes and make different bodies equal.
  const isBase64Encoded =
    request.body.length > 0 &&
    (!textual.test(headers['content-type'] ?? '') ||
      'content-encoding' in headers ||
      !isUtf8(request.body));
  const domainName = headers.host ?? 'localhost';
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers,
    ...(rawQueryString === '' ? {} : { queryStringParameters: readQuery(rawQueryString) }),
    requestContext: {
      accountId,
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: origin.requestId,
      routeKey,
      stage: '$default',
      time: clfTime(origin.timeEpoch),
      timeEpoch: origin.timeEpoch,
    },
    ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}),
    ...(request.body.length > 0
      ? { body: request.body.toString(isBase64Encoded ? 'base64' : 'utf8') }
      : {}),
    isBase64Encoded,
  };
}

function readHeaders(request: IncomingRequest, keepsCookieHeader: boolean) {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = (request.rawHeaders[i] ?? '').toLowerCase();
    const value = request.rawHeaders[i + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/;\s*/));
    else headers[name] = name in headers ? `${headers[name]},${value}` : value;
  }
  if (keepsCookieHeader && cookies.length > 0) headers.cookie = cookies.join('; ');
  headers['content-length'] ??= String(request.body.length);
  const before = headers['x-forwarded-for'];
  headers['x-forwarded-for'] = before ? `${before}, ${request.sourceIp}` : request.sourceIp;
  headers['x-forwarded-port'] = String(request.port);
  headers['x-forwarded-proto'] = 'http';
  return { headers, cookies };
}

function readQuery(rawQueryString: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) {
    values[name] = Object.hasOwn(values, name) ? `${values[name]},${value}` : value;
  }
  return values;
}

/** Formats a time in the Common Log Format, such as `10/Jul/2026:19:19:05 +0000`. */
function clfTime(timeEpoch: number): string {
  const [, day, month, year, time] = new Date(timeEpoch).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
