/** The route that a request matches, with the values of its path variables. */
export interface MatchedRoute {
  /** The route key, such as `GET /pets/{id}`, `ANY /{proxy+}`, or `$default`. */
  readonly routeKey: string;
  /** The values of the path variables, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the route for a request; undefined if none matches.
 *
 * @param segments the segments of the decoded path, including the empty segment before the first slash.
 */
export type RouteMatcher = (
  method: string,
  segments: readonly string[],
) => MatchedRoute | undefined;

const catchAll = '$default';

/**
 * Matches requests to routes in the same way as an Amazon API Gateway HTTP API. Routes without a greedy variable have
 * priority over routes with a greedy variable, more literal segments over fewer, and a specific method over `ANY`.
 * `$default` has the lowest priority.
 *
 * A variable matches one nonempty segment. A greedy variable matches the rest of the path, which must have at least one
 * character.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html#http-api-develop-routes.evaluation
 */
export function routeMatcher(routeKeys: readonly string[]): RouteMatcher {
  const routes = routeKeys.filter((key) => key !== catchAll).map(parseRoute);
  routes.sort(bySpecificity);
  const hasCatchAll = routeKeys.includes(catchAll);
  return (method, segments) => {
    for (const route of routes) {
      if (route.method !== method && route.method !== 'ANY') continue;
      const pathParameters = parametersOf(route, segments);
      if (pathParameters) return { routeKey: route.routeKey, pathParameters };
    }
    return hasCatchAll ? { routeKey: catchAll, pathParameters: {} } : undefined;
  };
}

interface Route {
  readonly routeKey: string;
  readonly method: string;
  readonly segments: readonly Segment[];
}

interface Segment {
  readonly kind: 'literal' | 'variable' | 'greedy';
  /** The text of a literal segment, or the name of a variable. */
  readonly text: string;
}

function parseRoute(routeKey: string): Route {
  const [method = '', path = ''] = routeKey.split(' ');
  return { routeKey, method, segments: path.split('/').map(parseSegment) };
}

function parseSegment(text: string): Segment {
  const [, name, plus] = /^\{([^+}]+)(\+?)\}$/.exec(text) ?? [];
  if (name === undefined) return { kind: 'literal', text };
  return { kind: plus ? 'greedy' : 'variable', text: name };
}

function bySpecificity(a: Route, b: Route): number {
  const count = ({ segments }: Route, kind: Segment['kind']) =>
    segments.filter((segment) => segment.kind === kind).length;
  return (
    count(a, 'greedy') - count(b, 'greedy') ||
    count(b, 'literal') - count(a, 'literal') ||
    b.segments.length - a.segments.length ||
    Number(a.method === 'ANY') - Number(b.method === 'ANY')
  );
}

function parametersOf(
  { segments }: Route,
  path: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [at, { kind, text }] of segments.entries()) {
    if (kind === 'greedy') {
      const rest = path.slice(at).join('/');
      return rest === '' ? undefined : { ...parameters, [text]: rest };
    }
    const segment = path[at];
    if (segment === undefined || segment === '') {
      // A path starts with a slash, so the first segment of both the request path and the route is empty.
      if (kind !== 'literal' || segment !== text) return undefined;
    } else if (kind === 'literal') {
      if (segment !== text) return undefined;
    } else {
      parameters[text] = segment;
    }
  }
  return path.length === segments.length ? parameters : undefined;
}
