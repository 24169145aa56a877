/** An error response from the gateway itself, rather than from a function. */
export interface ErrorResponse {
  readonly statusCode: number;
  readonly contentType: string;
  readonly body: string;
}

/** The forms of a request's path that route matching and the event need. */
export interface EventPaths {
  /** The path to match against the routes. */
  readonly matched: string;
  readonly rawPath: string;
  /** The event's `requestContext.http.path`. */
  readonly path: string;
}

/** The behavior that differs between the AWS services that pass HTTP requests to functions. */
export interface Ingress {
  /** Converts the raw path of a request. Returns undefined if the path's encoding is invalid. */
  paths(path: string): EventPaths | undefined;
  readonly requestIdHeader: string;
  readonly maximumBodyBytes: number;
  /** True if the event's `headers` contain the `cookie` header, in addition to the list `cookies`. */
  readonly keepsCookieHeader: boolean;
  /** The content type of a response whose result has a status code but no content type. */
  readonly defaultContentType: string;
  readonly badRequest: ErrorResponse;
  /** The response if no route matches. */
  readonly notFound: ErrorResponse;
  readonly tooLarge: ErrorResponse;
  readonly functionError: ErrorResponse;
  readonly throttled: ErrorResponse;
}

/**
 * Imitates an API Gateway HTTP API. Such an API decodes the path, truncates it at a decoded `?`, matches the route, and
 * decodes the path again for the event. `a%2Fb`, `a%252Fb`, and `a/b` therefore arrive as the same path, and a path
 * that still contains a lone `%` after the first decoding is rejected. This behavior is undocumented; it was observed
 * on AWS in July 2026 and recorded in these captures:
 * @see
 * https://github.com/hotsock/voker/blob/a1c00bf491e026f81917cc2edfdaca03eabc7518/vokerhttp/testdata/ingress-paths.json
 *
 * Limits and errors:
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const httpApi: Ingress = {
  paths: (onWire) => {
    const matched = decode(onWire)?.replace(/\?.*$/s, '');
    const path = decode(matched);
    if (matched === undefined || path === undefined) return undefined;
    return { matched, rawPath: path, path };
  },
  requestIdHeader: 'apigw-requestid',
  maximumBodyBytes: 10 * 1_048_576,
  keepsCookieHeader: false,
  defaultContentType: 'text/plain;charset=UTF-8',
  badRequest: message(400, 'Bad Request'),
  notFound: message(404, 'Not Found'),
  tooLarge: message(413, 'Request Entity Too Large'),
  functionError: message(500, 'Internal Server Error'),
  throttled: message(503, 'Service Unavailable'),
};

/**
 * Imitates a Lambda function URL. The events have the same format as an HTTP API's, but their `rawPath` is not decoded,
 * so encoded path segments stay intact.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 */
export const functionUrl: Ingress = {
  paths: (rawPath) => {
    const path = decode(rawPath);
    return path === undefined ? undefined : { matched: path, rawPath, path };
  },
  requestIdHeader: 'x-amzn-requestid',
  maximumBodyBytes: 6 * 1_048_576,
  keepsCookieHeader: true,
  defaultContentType: 'application/json',
  badRequest: message(400, 'Bad Request'),
  notFound: message(404, 'Not Found'),
  tooLarge: message(413, 'Request Entity Too Large'),
  functionError: { statusCode: 502, contentType: 'text/plain', body: 'Internal Server Error' },
  throttled: {
    ...message(429, ''),
    body: '{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded","Type":"User","message":"Rate Exceeded."}',
  },
};

function message(statusCode: number, text: string): ErrorResponse {
  return { statusCode, contentType: 'application/json', body: JSON.stringify({ message: text }) };
}

function decode(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
