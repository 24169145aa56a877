/** A request, without the address of the server. */
export interface HttpRequest {
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; empty unless the method is `POST`. */
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** The headers, by lowercase name. The values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request. Returns the response regardless of its status. */
export type SendRequest = (request: HttpRequest) => Promise<HttpAnswer>;
