import { describe, expect, it } from 'vitest';
import { withEncodedPath } from '../../lambdas/support/encoded-path.ts';

const event = (rawPath: string, path: string) => ({
  rawPath,
  requestContext: { http: { path } },
});

describe('withEncodedPath', () => {
  it.each(['/api/models', '/api/instances/m/a%2Fb', '/api/instances/m/100%25'])(
    'leaves what a function URL hands on: %s',
    (rawPath) => {
      expect(withEncodedPath(event(rawPath, decodeURIComponent(rawPath))).rawPath).toBe(rawPath);
    },
  );

  it.each([
    ['/api/instances/m/a#b', '/api/instances/m/a%23b'],
    ['/api/instances/m/a\\b', '/api/instances/m/a%5Cb'],
    ['/api/instances/m/100%', '/api/instances/m/100%25'],
    ['/api/instances/m/a/b', '/api/instances/m/a/b'],
  ])('encodes what an HTTP API has decoded: %s', (path, encoded) => {
    expect(withEncodedPath(event(path, path)).rawPath).toBe(encoded);
  });
});
