import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createContext, runInContext } from 'node:vm';
import { pageFunction } from '../../lib/pages/page-function.ts';
import { rolesOfClaim } from '../../src/api/access/roles.ts';
import { listen, type RunningServer } from '../../src/aws-local/server/listen.ts';
import { bundlePages } from '../../src/local/pages/bundle-pages.ts';
import { insertLoginTag } from '../../src/pages/insert-login-tag.ts';
import { pageHeaders } from '../../src/pages/page-headers.ts';
import type { MemoryApi } from '../support/service/memory-api.ts';
import type { Issuer } from './issuer.ts';

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, { readonly value: string }>>;
  readonly body: { readonly data: string };
}
/** The result of a CloudFront Function, which is a request or a response. */
type Routed = { readonly uri: string } | Answer;

/** Runs the CloudFront Function of the pages for a path. */
export function routed(uri: string): Routed {
  const context = createContext({ event: { request: { uri } } });
  return runInContext(`${pageFunction}; handler(event)`, context) as Routed;
}

/**
 * A server that behaves like CloudFront and API Gateway. It uses the CloudFront Function, the headers, the files, and
 * the authorization that a deployment uses.
 */
export async function deployedPages(issuer: Issuer, api: MemoryApi): Promise<RunningServer> {
  const files = new Map([...(await bundlePages())].map(([path, file]) => [path, { ...file }]));
  const index = files.get('/index.html')!;
  const { url, clientId } = issuer;
  const settings = { issuer: url, clientId, scope: 'openid', parameters: {} };
  const body = Buffer.from(insertLoginTag(index.body.toString(), settings));
  files.set('/index.html', { ...index, body });
  const headers = pageHeaders([url]);

  const page = (uri: string, response: ServerResponse) => {
    const to = routed(uri);
    if ('statusCode' in to) {
      const type = to.headers['content-type']!.value;
      response.writeHead(to.statusCode, { ...headers, 'content-type': type }).end(to.body.data);
      return;
    }
    const file = files.get(to.uri);
    if (!file) response.writeHead(403, headers).end();
    else response.writeHead(200, { ...headers, 'content-type': file.contentType }).end(file.body);
  };
  const ask = async (request: IncomingMessage, response: ServerResponse) => {
    const token = request.headers.authorization?.replace('Bearer ', '');
    const claims = token === undefined ? undefined : issuer.claimsIn(token);
    if (!claims) {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"message":"Unauthorized"}');
      return;
    }
    const asked = new Request(new URL(request.url!, 'http://127.0.0.1'), {
      method: request.method!,
    });
    const answer = await api.app.fetch(asked, { roles: rolesOfClaim(claims['cognito:groups']) });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    const [path = '/'] = request.url!.split('?');
    if (/^\/(?:api|track)\//.test(path))
      ask(request, response).catch((error: unknown) => response.destroy(error as Error));
    else page(path, response);
  });
  return listen(server, 0);
}
