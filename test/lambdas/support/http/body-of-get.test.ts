import { expect, it } from 'vitest';
import { withoutBodyOfGet } from '../../../../lambdas/support/http/body-of-get.ts';

const event = (method: string) => ({
  rawPath: '/api/health',
  body: '{}',
  requestContext: { http: { method } },
});

it.each(['GET', 'HEAD'])(
  'withoutBodyOfGet removes the body of requests with the method %s',
  (method) => {
    const { body: _, ...rest } = event(method);
    expect(withoutBodyOfGet(event(method))).toEqual(rest);
  },
);

it.each(['POST', 'PUT', 'DELETE'])(
  'withoutBodyOfGet does not change requests with the method %s',
  (method) => {
    expect(withoutBodyOfGet(event(method))).toEqual(event(method));
  },
);
