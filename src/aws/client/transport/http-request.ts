import type { Agent, ClientRequest, IncomingHttpHeaders } from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request, without the address of the server. */
export interface HttpRequest {
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; empty unless the method is `POST`. */
  readonly body: string;
}

/** Sends a request. Returns the response regardless of its status. */
export type SendRequest = (request: HttpRequest) => Promise<HttpAnswer>;

/** The maximum number of concurrent requests. Further requests wait for a connection. */
const maximumSockets = 50;

/**
 * Sends requests to one server over persistent connections.
 *
 * @param patience the maximum inactivity of a connection during a request, in milliseconds. Default: unlimited.
 */
export function requestsTo(endpoint: URL, patience?: number): SendRequest {
  // Importing node:http would evaluate all of its exports, including fetch and WebSocket, and slow down startup.
  const { Agent, request } = process.getBuiltinModule(
    endpoint.protocol === 'https:' ? 'node:https' : 'node:http',
  );
  const agent: Agent = new Agent({ keepAlive: true, maxSockets: maximumSockets });
  const { hostname, port } = endpoint;
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent: ClientRequest = request(
        { method, hostname, port, path, headers, agent, timeout: patience },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const { statusCode = 0, headers: given } = response;
            const [first, ...more] = chunks;
            const bytes = more.length > 0 ? Buffer.concat(chunks) : first;
            resolve({ status: statusCode, headers: given, body: bytes?.toString() ?? '' });
          });
        },
      );
      sent.once('error', reject);
      if (patience !== undefined)
        sent.once('timeout', () =>
          sent.destroy(Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' })),
        );
      sent.end(body);
    });
}
