import type { EventSourceReader } from '../../stores/event-source-reader.ts';
import { socketTimeout } from './transport/json-service.ts';
import { ServiceClient, type ServiceOptions } from './transport/service-client.ts';
import { undefinedIfMissing } from './transport/service-error.ts';

/**
 * Creates a client that reads event source mappings.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html
 */
export function eventSourceMappings(options: ServiceOptions): EventSourceReader {
  const protocol = { service: 'lambda', contentType: 'application/json', socketTimeout };
  const client = new ServiceClient(options, protocol);
  return {
    async read(uuid) {
      const path = `/2015-03-31/event-source-mappings/${encodeURIComponent(uuid)}`;
      const found = await undefinedIfMissing(client.get(path));
      if (!found) return undefined;
      const { State: state = '', LastProcessingResult: lastProcessingResult = '' } = JSON.parse(
        found.body,
      ) as { readonly State?: string; readonly LastProcessingResult?: string };
      return { state, lastProcessingResult };
    },
  };
}
