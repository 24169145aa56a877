import type { Context, KinesisStreamBatchResponse, KinesisStreamEvent } from 'aws-lambda';
import { DynamoDbDeadLetterStore } from '../src/aws/dynamodb-dead-letter-store.ts';
import { EventBridgeBus } from '../src/aws/eventbridge-bus.ts';
import { systemClock } from '../src/core/clock.ts';
import { Deadline } from '../src/service/deadline.ts';
import { toStreamRecord } from '../src/service/kinesis-event.ts';
import {
  type PublishDependencies,
  publishNotifications,
} from '../src/service/publish-notifications.ts';
import { Recent } from '../src/service/recent.ts';
import { clients } from './support/clients.ts';
import { setting } from './support/environment.ts';
import { refusedMeasure } from './support/observed.ts';
import { publishLog } from './support/publish-log.ts';

/** Kept back from the function's time for the answer, in milliseconds. */
const timeToAnswer = 5_000;
/** How long a finished record is remembered, in milliseconds: longer than Lambda waits between retries. */
const memory = 5 * 60_000;

const dependencies: PublishDependencies = {
  bus: new EventBridgeBus(clients.eventBridge(), setting('MILEPOST_BUS')),
  deadLetters: new DynamoDbDeadLetterStore(
    clients.dynamoDb(),
    setting('MILEPOST_DEAD_LETTERS_TABLE'),
    systemClock,
  ),
  finished: new Recent(systemClock, memory),
  log: publishLog(console, refusedMeasure),
};

/** Takes the notifications on their stream to the bus. */
export async function handler(
  event: KinesisStreamEvent,
  context: Context,
): Promise<KinesisStreamBatchResponse> {
  const time = context.getRemainingTimeInMillis() - timeToAnswer;
  const deadline = new Deadline(systemClock, systemClock.now() + time);
  const records = event.Records.map(toStreamRecord);
  const failed = await publishNotifications(dependencies, records, deadline);
  return {
    batchItemFailures: failed.map(({ position }) => ({ itemIdentifier: position.sequence })),
  };
}
