/** A request to Lambda's Invoke. @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
export interface InvokeRequest {
  /** A name, a partial ARN or an ARN. */
  readonly functionName: string;
  /** Default: `RequestResponse`. */
  readonly invocationType?: string;
  /** Whether to return the last 4 KB of the log. */
  readonly logTail?: boolean;
  /** JSON. */
  readonly clientContext?: string;
  readonly qualifier?: string;
  /** JSON. An empty payload means `{}`. */
  readonly payload?: Uint8Array | string;
}

/** The response of Invoke. */
export interface InvokeResponse {
  readonly statusCode: 200 | 202 | 204;
  readonly requestId: string;
  /** JSON; empty unless the status is 200. */
  readonly payload: string;
  readonly executedVersion?: string;
  readonly functionError?: 'Unhandled';
  /** Base64. */
  readonly logResult?: string;
}
