import type { ServiceDefinition } from '../template/service-definition.ts';

/**
 * Returns the names of the functions that start before their first invocation: the consumers of the event stream and
 * the API. The first event and the first request therefore have no cold start. All other functions start on demand.
 */
export function prestartedFunctions({
  streams,
  eventSources,
  routes,
}: Pick<ServiceDefinition, 'streams' | 'eventSources' | 'routes'>): ReadonlySet<string> {
  const consumers = eventSources.filter(({ streamName }) => streamName === streams[0]?.name);
  const api = routes.filter(({ routeKey }) => routeKey === 'GET /api/instances');
  return new Set([...consumers, ...api].map(({ functionName }) => functionName));
}
