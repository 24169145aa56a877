import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodedPath, pathSegments } from '../../lambdas/support/http/request-path.ts';
import { refusalOfPath } from '../../src/routes/request-path.ts';

const event = (rawPath: string, path: string) => ({
  rawPath,
  requestContext: { http: { path } },
});

describe('the path of a request', () => {
  it.each([
    ['/track/../api', '"."'],
    ['/track/./T', '"."'],
    ['/..', '".."'],
    ['..', '".."'],
    ['/a/b/..', '".."'],
    ['/a\\..\\b', '".."'],
    ['/a/..\\b', '".."'],
    ['/a/\u0000', 'control'],
    ['/a\r\n', 'control'],
    ['/a\u0085b', 'control'],
  ])('is rejected if it is %j', (path, why) => {
    expect(refusalOfPath(path)).toContain(why);
  });

  it.each(['/api', '/a/...', '/a/..b', '/a/b..', '/a/.b', '/a/%2e%2e', '/a b/é/😀', '/a\\b', '/'])(
    'is accepted if it is %j',
    (path) => {
      expect(refusalOfPath(path)).toBeUndefined();
    },
  );

  it('is decoded once if it comes from a function URL', () => {
    expect(pathSegments(event('/a%2Fb/100%25', '/a/b/100%'))).toEqual(['', 'a/b', '100%']);
    expect(pathSegments(event('/a/%ff', '/a/�'))).toBeUndefined();
  });

  it('is not decoded again if it comes from an HTTP API, which has already decoded it', () => {
    expect(pathSegments(event('/a/b/100%25', '/a/b/100%25'))).toEqual(['', 'a', 'b', '100%25']);
  });

  it('does not change when a URL parser resolves it', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('..', '.', '%2e%2e', '%2E', '\\', '..\\', '?', '#', ';', ':', '@', '', ' '),
    );
    const anySegments = fc.array(fc.array(part, { maxLength: 3 }).map((parts) => parts.join('')));
    fc.assert(
      fc.property(anySegments, (some) => {
        const segments = ['', ...some];
        if (segments.length === 1 || refusalOfPath(segments.join('/')) !== undefined) return;
        const path = encodedPath(segments);
        const { pathname } = new URL(`https://host${path}`);
        expect(pathname).toBe(path);
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(segments);
      }),
      { numRuns: 2_000 },
    );
  });
});
