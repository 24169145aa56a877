import { expect, it } from 'vitest';
import { withoutBodyOfGet } from '../../../../lambdas/support/http/body-of-get.ts';

const event = (method: string) => ({
  rawPath: '/api/health',
  body: '{}',
  requestContext: { http: { method } },
});

it.each(['GET', 'HEAD'])('removes the body of a %s request', (method) => {
  const { body: _, ...rest } = event(method);
  expect(withoutBodyOfGet(event(method))).toEqual(rest);
});

it.each(['POST', 'PUT', 'DELETE'])('does not change a %s request', (method) => {
  expect(withoutBodyOfGet(event(method))).toEqual(event(method));
});
