import { describe, expect, it } from 'vitest';
import { routed } from '../../web/deployed-pages.ts';

describe('the CloudFront Function of the operator pages', () => {
  it.each([
    '/',
    '/instances',
    '/instances/a/b%2Fc',
    '/dead-letters',
    '/dead-letters/',
    '/models/x',
  ])('serves index.html at %s', (path) => {
    expect(routed(path)).toEqual({ uri: '/index.html' });
  });

  it('does not change the paths of files', () => {
    expect(routed('/assets/main-1.js')).toEqual({ uri: '/assets/main-1.js' });
  });

  it.each(['/index.html', '/favicon.ico', '/modelsx', '/api', '/assets', '//instances', ''])(
    'responds with 404 to %j',
    (path) => {
      expect(routed(path)).toMatchObject({
        statusCode: 404,
        headers: { 'content-type': { value: 'text/plain; charset=utf-8' } },
        body: {
          encoding: 'text',
          data: expect.stringMatching(
            /^There is no page at this address\. The overview is at \/\n$/,
          ),
        },
      });
    },
  );
});
