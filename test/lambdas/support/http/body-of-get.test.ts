import { expect, it } from 'vitest';
import { withoutBodyOfGet } from '../../../../lambdas/support/http/body-of-get.ts';

const event = (method: string) => ({
  rawPath: '/api/health',
  body: '{}',
  requestContext: { http: { method } },
});

it.each(['GET', 'HEAD'])('removes the body from requests: %s', (method) => {
  const { body: _, ...rest } = event(method);
  expect(withoutBodyOfGet(event(method))).toEqual(rest);
});

it.each(['POST', 'PUT', 'DELETE'])('does not change other requests: %s', (method) => {
  expect(withoutBodyOfGet(event(method))).toEqual(event(method));
});
