import type { PutEventsRequest, PutEventsResponse } from '@aws-sdk/client-eventbridge';
import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** What of EventBridge is used, under the name that the AWS SDK's `EventBridge` gives it. */
export interface EventBridge {
  putEvents(input: PutEventsRequest): Promise<Pick<PutEventsResponse, 'Entries'>>;
}

/** EventBridge. */
export function eventBridge(options: ServiceOptions): EventBridge {
  const send = jsonService(options, { service: 'events', version: '1.1', target: 'AWSEvents' });
  return {
    putEvents: async ({ Entries, ...rest }) => {
      // Times are seconds since 1970 in this protocol.
      const entries = Entries?.map(({ Time, ...entry }) => ({
        ...entry,
        Time: Time && Time.getTime() / 1_000,
      }));
      return (await send('PutEvents', { ...rest, Entries: entries })) as PutEventsResponse;
    },
  };
}
