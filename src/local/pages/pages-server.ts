import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pageHeaders } from '../../pages/page-headers.ts';
import { assetPath, pagePath } from '../../pages/page-path.ts';
import type { LazyPages } from './lazy-pages.ts';
import type { PageFile, PageFiles } from './page-files.ts';

const securityHeaders = pageHeaders();

/**
 * Serves the pages and forwards requests under `/api` and `/track` to the API.
 *
 * @param api the API's server, which does not listen itself.
 * @param pages returns the pages; called only for page requests.
 */
export function createPagesServer(api: Server, pages: LazyPages): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '/').replace(/[?#].*$/s, '');
    if (/^\/(?:api|track)(?:\/|$)/.test(path)) {
      api.emit('request', request, response);
      return;
    }
    // Drain the request body so that the connection can be reused.
    request.resume();
    void pages().then((files) => handleRequest(files, path, request, response));
  });
}

function handleRequest(
  files: PageFiles | undefined,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendText(response, 405, 'Pages support only GET and HEAD.');
  }
  if (!files)
    return sendText(response, 503, 'The pages could not be built. See the log of the service.');
  if (pagePath.test(path)) {
    const index = files.get('/index.html')!;
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('etag', index.etag);
    if (request.headers['if-none-match']?.includes(index.etag)) {
      response.writeHead(304, securityHeaders).end();
      return;
    }
    return sendFile(response, request, index);
  }
  const asset = assetPath.test(path) ? files.get(path) : undefined;
  if (!asset)
    return sendText(response, 404, 'There is no page at this address. The overview is at /');
  // The name contains a content hash, so the content at this URL never changes.
  response.setHeader('cache-control', 'public, max-age=31536000, immutable');
  sendFile(response, request, asset);
}

function sendFile(response: ServerResponse, request: IncomingMessage, file: PageFile): void {
  const small = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(
    request.headers['accept-encoding']?.toString() ?? '',
  );
  const body = small ? file.gzipped : file.body;
  response.writeHead(200, {
    ...securityHeaders,
    ...(small && { 'content-encoding': 'gzip' }),
    vary: 'accept-encoding',
    'content-type': file.contentType,
    'content-length': body.length,
  });
  // Node.js omits the body of a response to a HEAD request.
  response.end(body);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  const body = `${text}\n`;
  response.writeHead(status, {
    ...securityHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
