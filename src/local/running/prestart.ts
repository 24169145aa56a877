import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import type { ServiceDefinition } from '../template/service-definition.ts';

/**
 * Starts execution environments for the functions that process the first event and answer the first request: the
 * consumer of the event stream, and the API. All other functions start on demand.
 */
export async function prestartFunctions(
  { streams, eventSources, routes }: Pick<ServiceDefinition, 'streams' | 'eventSources' | 'routes'>,
  host: Pick<LambdaHost, 'prestart'>,
): Promise<void> {
  const consumers = eventSources.filter(({ streamName }) => streamName === streams[0]?.name);
  const reading = routes.filter(({ routeKey }) => routeKey === 'GET /api/instances');
  const names = new Set([...consumers, ...reading].map(({ functionName }) => functionName));
  await Promise.all([...names].map((name) => host.prestart(name)));
}
