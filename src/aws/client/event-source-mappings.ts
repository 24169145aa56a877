import type { EventSourceReader } from '../../stores/event-source-reader.ts';
import { socketTimeout } from './transport/json-service.ts';
import { ServiceClient, type ServiceOptions } from './transport/service-client.ts';
import { isServiceError } from './transport/service-error.ts';

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
      try {
        const { State: state = '', LastProcessingResult: lastProcessingResult = '' } = JSON.parse(
          (await client.get(path)).body,
        ) as { readonly State?: string; readonly LastProcessingResult?: string };
        return { state, lastProcessingResult };
      } catch (error) {
        if (isServiceError(error, 'ResourceNotFoundException')) return undefined;
        throw error;
      }
    },
  };
}
