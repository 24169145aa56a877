import type {
  DescribeRuleResponse,
  PutEventsRequest,
  PutEventsResponse,
} from '@aws-sdk/client-eventbridge';
import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/** The EventBridge operations for publishing, named like the methods of the AWS SDK's `EventBridge` client. */
export interface EventBridge {
  putEvents(input: PutEventsRequest): Promise<Pick<PutEventsResponse, 'Entries'>>;
}

/** The EventBridge operations for rules, named like the methods of the AWS SDK's `EventBridge` client. */
export interface EventBridgeRules {
  describeRule(input: { readonly Name: string }): Promise<Pick<DescribeRuleResponse, 'State'>>;
}

export function eventBridge(options: ServiceOptions): EventBridge & EventBridgeRules {
  const send = jsonService(options, { service: 'events', version: '1.1', target: 'AWSEvents' });
  return {
    describeRule: (input) => send('DescribeRule', input),
    putEvents: ({ Entries, ...rest }) => {
      // This protocol encodes times as seconds since 1970.
      const entries = Entries?.map(({ Time, ...entry }) => ({
        ...entry,
        Time: Time && Time.getTime() / 1_000,
      }));
      return send('PutEvents', { ...rest, Entries: entries });
    },
  };
}
