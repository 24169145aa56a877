import { DynamoDbDeadLetterStore } from '../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { EventBridgeBus } from '../src/aws/notifications/eventbridge-bus.ts';
import { systemClock } from '../src/common/clock.ts';
import { ExpiringSet } from '../src/common/expiring-set.ts';
import type { NotificationFilter } from '../src/publisher/notification-filter.ts';
import {
  type PublishDependencies,
  publishNotifications,
} from '../src/publisher/publish-notifications.ts';
import { clients } from './support/clients.ts';
import { refusedNotificationMetric } from './support/monitoring/metrics.ts';
import { publishLog } from './support/monitoring/publish-log.ts';
import { optionalSetting, setting } from './support/settings.ts';
import { streamHandler } from './support/stream-handler.ts';

/**
 * How long a finished record is remembered, in milliseconds: longer than Lambda's delay between retries.
 */
const finishedTtl = 5 * 60_000;

const dependencies: PublishDependencies = {
  bus: new EventBridgeBus(clients.eventBridge(), setting('MILEPOST_BUS')),
  deadLetters: new DynamoDbDeadLetterStore(
    clients.dynamoDb(),
    setting('MILEPOST_DEAD_LETTERS_TABLE'),
    systemClock,
  ),
  filter: JSON.parse(optionalSetting('MILEPOST_NOTIFICATION_FILTER') ?? '{}') as NotificationFilter,
  finishedRecordIds: new ExpiringSet(systemClock, finishedTtl),
  log: publishLog(console, refusedNotificationMetric),
};

/** Publishes the records of the notification stream to the EventBridge bus. */
export const handler = streamHandler(systemClock, (records, deadline) =>
  publishNotifications(dependencies, records, deadline),
);
