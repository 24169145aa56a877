import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type RunningServer } from '../../src/aws-local/server/listen.ts';
import { bundlePages } from '../../src/local/pages/bundle-pages.ts';
import { createPagesServer } from '../../src/local/pages/pages-server.ts';
import { instanceInApi, instancePage, withQuery } from '../../web/pure/paths.ts';

const api = createServer((request, response) => {
  void text(request).then((body) =>
    response.end(`the API got ${request.method} ${request.url} ${body}`.trimEnd()),
  );
});
let server: RunningServer;
let broken: RunningServer;
let pages: Awaited<ReturnType<typeof bundlePages>>;
beforeAll(async () => {
  pages = await bundlePages();
  server = await listen(
    createPagesServer(api, async () => pages),
    0,
  );
  broken = await listen(
    createPagesServer(api, async () => undefined),
    0,
  );
});
afterAll(async () => {
  await Promise.all([server[Symbol.asyncDispose](), broken[Symbol.asyncDispose]()]);
});
const get = (path: string, init?: RequestInit) => fetch(server.url + path, init);
const asset = (ending: string) => [...pages.keys()].find((path) => path.endsWith(ending))!;

describe('the page server', () => {
  it.each(['/', '/instances', '/instances/a/b%2Fc?step=2', '/dead-letters', '/models/x'])(
    'serves a page at %s, which browsers revalidate',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<script type="module" src="/assets/main-');
      const known = { 'if-none-match': response.headers.get('etag')! };
      expect((await get(path, { headers: known })).status).toBe(304);
    },
  );

  it.each([
    ['.js', 'text/javascript; charset=utf-8'],
    ['.css', 'text/css; charset=utf-8'],
    ['.svg', 'image/svg+xml'],
  ])('serves %s files as immutable', async (ending, type) => {
    const response = await get(asset(ending));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pages.get(asset(ending))!.body);
  });

  it('compresses files for clients that accept compression', async () => {
    const gzip = await get(asset('.css'), { headers: { 'accept-encoding': 'br, gzip' } });
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    for (const taken of ['identity', 'gzip;q=0']) {
      const plain = await get(asset('.css'), { headers: { 'accept-encoding': taken } });
      expect(plain.headers.get('content-encoding')).toBeNull();
    }
  });

  it('responds to HEAD as to GET, but without the body', async () => {
    const response = await get('/', { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(
      String(pages.get('/index.html')!.body.length),
    );
    expect(await response.text()).toBe('');
  });

  it.each([
    '/assets/main-OLD.js',
    '/favicon.ico',
    '/index.html',
    '/modelsx',
    '/assets/..%2findex.html',
  ])('responds with 404 in plain text at %s', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('accepts only GET and HEAD requests', async () => {
    const response = await get('/instances', { method: 'POST', body: 'x'.repeat(100_000) });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  it.each<[string, () => string]>([
    ['a page', () => '/'],
    ['an unknown address', () => '/nowhere'],
    ['a script', () => asset('.js')],
  ])(
    'forbids inline scripts and content from other origins in the response for %s',
    async (_, path) => {
      const { headers } = await get(path());
      expect(headers.get('content-security-policy')).toContain(
        "default-src 'none'; script-src 'self'",
      );
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  it('passes on requests to the API with the same method, URL, and body', async () => {
    const init = { method: 'POST', body: '{}' };
    expect(await (await get('/api/events?a=b', init)).text()).toBe(
      'the API got POST /api/events?a=b {}',
    );
    expect(await (await get('/api/x/%2F/..%2f')).text()).toBe('the API got GET /api/x/%2F/..%2f');
    expect(await (await get('/track/abc')).text()).toBe('the API got GET /track/abc');
    expect((await get('/apis')).status).toBe(404);
  });

  it('serves only the API if there are no pages', async () => {
    expect((await fetch(`${broken.url}/`)).status).toBe(503);
    expect((await fetch(`${broken.url}/api/health`)).status).toBe(200);
  });

  it('serves at most 30 KB of compressed files for the first page, or 40 KB with a login', () => {
    const script = [...pages.keys()].find((path) => path.includes('/main-'))!;
    const first = ['/index.html', asset('.css'), asset('.svg'), ...withImports(script)];
    expect(size(first)).toBeLessThan(30_000);
    // With a login, the browser also loads the code of the login.
    const login = [...pages.keys()].filter((path) => path.includes('/oidc-'));
    expect(login).toHaveLength(1);
    expect(size([...first, ...login])).toBeLessThan(40_000);
  });

  it('serves at most 31 KB of compressed scripts for the instance page', () => {
    const scripts = [...pages.keys()].filter((path) => /\/(?:main|instance)-/.test(path));
    expect(scripts).toHaveLength(2);
    const found = new Set<string>();
    expect(size(scripts.flatMap((script) => withImports(script, found)))).toBeLessThan(31_000);
  });
});

const size = (paths: readonly string[]) =>
  paths.reduce((sum, path) => sum + pages.get(path)!.gzipped.length, 0);

/** Returns a script and the scripts that it imports statically. */
function withImports(path: string, found = new Set<string>()): readonly string[] {
  if (found.has(path)) return [];
  found.add(path);
  const imports = pages
    .get(path)!
    .body.toString()
    .matchAll(/(?:from|import)"\.\/([^"]+)"/g);
  return [path, ...imports.flatMap(([, name]) => withImports(`/assets/${name}`, found))];
}

describe('the addresses of the pages', () => {
  it('preserve every character of a transaction id', () => {
    expect(instancePage('tickets', 'a/b c?#%é')).toBe(
      '/instances/tickets/a%2Fb%20c%3F%23%25%C3%A9',
    );
    expect(instanceInApi('m', 'x/y')).toBe('/api/instances/m/x%2Fy');
  });

  it('contain only the non-empty members of a query', () => {
    expect(withQuery('/a', { q: 'x y', status: '', late: undefined })).toBe('/a?q=x+y');
    expect(withQuery('/a', {})).toBe('/a');
  });
});
