import { describe, expect, it } from 'vitest';
import { routeMatcher } from '../../src/common/match-route.ts';

const match = (routeKeys: readonly string[], method: string, path: string) =>
  routeMatcher(routeKeys)(method, path.split('/'));

describe('routeMatcher', () => {
  // The routes and requests are an example from the AWS documentation.
  const documented = [
    '$default',
    'ANY /{proxy+}',
    'GET /pets/{proxy+}',
    'GET /pets/dog/{id}',
    'GET /pets/dog/1',
  ];
  it.each([
    ['GET', '/pets/dog/1', 'GET /pets/dog/1', {}],
    ['GET', '/pets/dog/2', 'GET /pets/dog/{id}', { id: '2' }],
    ['GET', '/pets/cat/1', 'GET /pets/{proxy+}', { proxy: 'cat/1' }],
    ['POST', '/test/5', 'ANY /{proxy+}', { proxy: 'test/5' }],
    ['GET', '/', '$default', {}],
  ])('selects the most specific route for %s %s', (method, path, routeKey, pathParameters) => {
    expect(match(documented, method, path)).toEqual({ routeKey, pathParameters });
  });

  it('prefers a specific method to ANY for the same path', () => {
    const routes = ['ANY /api/{proxy+}', 'OPTIONS /api/{proxy+}'];
    expect(match(routes, 'OPTIONS', '/api/x')?.routeKey).toBe('OPTIONS /api/{proxy+}');
    expect(match(routes, 'PUT', '/api/x')?.routeKey).toBe('ANY /api/{proxy+}');
  });

  it.each(['/things', '/things/', '//things/1', '/things/1/', '/things/1/2', 'things/1', ''])(
    'matches a variable only with one nonempty segment, so %j does not match',
    (path) => {
      expect(match(['GET /things/{id}'], 'GET', path)).toBeUndefined();
    },
  );

  it('matches a greedy variable to one or more characters, which may include slashes', () => {
    const routes = ['GET /things/{id+}'];
    expect(match(routes, 'GET', '/things/a//b/')?.pathParameters).toEqual({ id: 'a//b/' });
    expect(match(routes, 'GET', '/things/')).toBeUndefined();
    expect(match(routes, 'GET', '/things')).toBeUndefined();
  });

  it('does not match a request with a different method', () => {
    expect(match(['GET /things'], 'get', '/things')).toBeUndefined();
    expect(match(['GET /things'], 'POST', '/things')).toBeUndefined();
  });
});
