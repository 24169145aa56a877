/** A request for Lambda's Invoke. @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
export interface InvokeRequest {
  /** The function's name, partial ARN, or ARN. */
  readonly functionName: string;
  /** Default: `RequestResponse`. */
  readonly invocationType?: string;
  /** True to return the last 4 KB of the log. Default: false. */
  readonly logTail?: boolean;
  /** The client context as JSON. */
  readonly clientContext?: string;
  readonly qualifier?: string;
  /** The payload as JSON. An empty payload means `{}`. */
  readonly payload?: Uint8Array | string;
}

export interface InvokeResponse {
  readonly statusCode: 200 | 202 | 204;
  readonly requestId: string;
  /** The payload as JSON; empty unless the status is 200. */
  readonly payload: string;
  readonly executedVersion?: string;
  readonly functionError?: 'Unhandled';
  /** The last 4 KB of the log in Base64. */
  readonly logResult?: string;
}
