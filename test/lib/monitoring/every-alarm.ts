import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { entry, newTracker } from '../tracker.ts';

/** The settings that the tests vary. */
export interface EveryAlarm {
  readonly alarmTopic?: (stack: Stack) => Topic;
  readonly lowLatency?: boolean;
}

/** The template of a tracker with all options that have alarms. `lowLatency` replaces two metrics. */
export function withEveryAlarm({ alarmTopic, lowLatency }: EveryAlarm = {}): Template {
  const { stack, tracker } = newTracker((scope) => ({
    archive: true,
    canary: true,
    customerPages: true,
    encryptionKey: new Key(scope, 'Key'),
    instancesCapacity: { readCapacity: { maxCapacity: 100 }, writeCapacity: { maxCapacity: 100 } },
    lowLatency,
    alarmTopic: alarmTopic?.(scope),
  }));
  tracker.addModel('orders', { entry });
  tracker.addEventBridgeSource('Source', {
    eventPattern: { source: ['shop'] },
    event: { modelId: 'orders', transactionId: '$.detail.id' },
  });
  return Template.fromStack(stack);
}
