import type { Agent, ClientRequest, IncomingHttpHeaders } from 'node:http';

/** What a server answered. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a POST request, and gives the answer, whatever its status. */
export type HttpPost = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<HttpAnswer>;

/** Requests at once; more wait for a connection. */
const maximumSockets = 50;

/**
 * Requests to one server over connections that are kept.
 *
 * @param patience how long a connection may be silent while an answer is waited for, in
 *   milliseconds; without it, for ever.
 */
export function httpPost(endpoint: URL, patience?: number): HttpPost {
  // As builtin modules: an import of node:http evaluates all it exports, fetch and WebSocket too.
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
          sent.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
        );
      sent.end(body);
    });
}
