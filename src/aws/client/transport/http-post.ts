import type { Agent, ClientRequest, IncomingHttpHeaders } from 'node:http';

/** The response of a server. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a POST request. Returns the response regardless of its status. */
export type HttpPost = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<HttpAnswer>;

/** The maximum number of concurrent requests; more wait for a connection. */
const maximumSockets = 50;

/**
 * Sends requests to one server over persistent connections.
 *
 * @param patience the maximum inactivity of a connection while it waits for a response, in milliseconds. Default:
 * unlimited
 */
export function httpPost(endpoint: URL, patience?: number): HttpPost {
  // Loaded as builtin modules: an import of node:http evaluates all its exports, including fetch and WebSocket.
  const { Agent, request } = process.getBuiltinModule(
    endpoint.protocol === 'https:' ? 'node:https' : 'node:http',
  );
  const agent: Agent = new Agent({ keepAlive: true, maxSockets: maximumSockets });
  const { hostname, port } = endpoint;
  return (path, headers, body) =>
    new Promise((resolve, reject) => {
      const sent: ClientRequest = request(
        { method: 'POST', hostname, port, path, headers, agent, timeout: patience },
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
