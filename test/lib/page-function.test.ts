import { describe, expect, it } from 'vitest';
import { routed } from '../web/deployed-pages.ts';

describe('the function in front of the pages’ bucket', () => {
  it.each([
    '/',
    '/instances',
    '/instances/a/b%2Fc',
    '/dead-letters',
    '/dead-letters/',
    '/models/x',
  ])('has a page at %s', (path) => {
    expect(routed(path)).toEqual({ uri: '/index.html' });
  });

  it('leaves the names of files as they are', () => {
    expect(routed('/assets/main-1.js')).toEqual({ uri: '/assets/main-1.js' });
  });

  it.each(['/index.html', '/favicon.ico', '/modelsx', '/api', '/assets', '//instances', ''])(
    'says that there is nothing at %j',
    (path) => {
      expect(routed(path)).toMatchObject({
        statusCode: 404,
        headers: { 'content-type': { value: 'text/plain; charset=utf-8' } },
        body: {
          encoding: 'text',
          data: expect.stringMatching(/^This page does not exist\. Start at \/\n$/),
        },
      });
    },
  );
});
