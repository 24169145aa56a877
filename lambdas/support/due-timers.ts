import { DynamoDbDueTimerIndex } from '../../src/aws/lists/dynamodb-due-timer-index.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import { type FireTimersDependencies, refireDelay } from '../../src/clock/fire-timers.ts';
import { systemClock } from '../../src/common/clock.ts';
import { ExpiringSet } from '../../src/common/expiring-set.ts';
import { SignedStream } from '../../src/stream/signing/signed-stream.ts';
import { clients } from './clients.ts';
import { eventMacs } from './event-macs.ts';
import { setting } from './settings.ts';

/** How much of the invocation's time to reserve for finishing requests that are in progress, in milliseconds. */
export const timeToEnd = 10_000;

/** Creates the dependencies for firing timers from environment variables. */
export const dueTimers = (): FireTimersDependencies => ({
  index: new DynamoDbDueTimerIndex(clients.dynamoDb(), setting('MILEPOST_INSTANCES_TABLE')),
  stream: new SignedStream(
    new KinesisEventStream(clients.kinesis(), setting('MILEPOST_STREAM')),
    eventMacs(),
  ),
  clock: systemClock,
  recentlyFired: new ExpiringSet(systemClock, refireDelay),
});
