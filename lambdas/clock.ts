import type { Context } from 'aws-lambda';
import { DynamoDbDueTimerIndex } from '../src/aws/lists/dynamodb-due-timer-index.ts';
import { KinesisEventStream } from '../src/aws/stream/kinesis-event-stream.ts';
import { type FireTimersDependencies, fireTimers, refireDelay } from '../src/clock/fire-timers.ts';
import { systemClock } from '../src/common/clock.ts';
import { ExpiringSet } from '../src/common/expiring-set.ts';
import { SignedStream } from '../src/stream/signing/signed-stream.ts';
import { clients } from './support/clients.ts';
import { eventMacs } from './support/event-macs.ts';
import { setting } from './support/settings.ts';

/** The time to reserve for finishing work in flight, in milliseconds. */
const timeToEnd = 10_000;

const dependencies: FireTimersDependencies = {
  index: new DynamoDbDueTimerIndex(clients.dynamoDb(), setting('MILEPOST_INSTANCES_TABLE')),
  stream: new SignedStream(
    new KinesisEventStream(clients.kinesis(), setting('MILEPOST_STREAM')),
    eventMacs(),
  ),
  clock: systemClock,
  recentlyFired: new ExpiringSet(systemClock, refireDelay),
};

/**
 * Fires the due timers.
 *
 * @throws Error if some timers fail to fire, so that the invocation counts as failed; the next run retries them.
 */
export async function handler(_: unknown, context: Context): Promise<void> {
  const deadline = systemClock.now() + context.getRemainingTimeInMillis() - timeToEnd;
  const { failures } = await fireTimers(dependencies, deadline);
  if (failures.length > 0) throw new Error(`failed to fire timers: ${failures.join('; ')}`);
}
