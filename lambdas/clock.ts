import type { Context } from 'aws-lambda';
import { DynamoDbDueTimerIndex } from '../src/aws/lists/dynamodb-due-timer-index.ts';
import { KinesisEventStream } from '../src/aws/stream/kinesis-event-stream.ts';
import { findFaultyEventSources } from '../src/clock/check-event-sources.ts';
import { type FireTimersDependencies, fireTimers, refireDelay } from '../src/clock/fire-timers.ts';
import { systemClock } from '../src/common/clock.ts';
import { ExpiringSet } from '../src/common/expiring-set.ts';
import { SignedStream } from '../src/stream/signing/signed-stream.ts';
import { clients } from './support/clients.ts';
import { eventMacs } from './support/event-macs.ts';
import { faultyEventSourceMetric } from './support/monitoring/metrics.ts';
import { optionalSetting, setting } from './support/settings.ts';

/** The time to reserve for finishing requests that are in progress, in milliseconds. */
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

const mappings = clients.eventSourceMappings();
const archiveSource = optionalSetting('MILEPOST_ARCHIVE_SOURCE');
const eventSources = [
  ...(optionalSetting('MILEPOST_EVENT_SOURCES')?.split(',') ?? []),
  ...(archiveSource === undefined ? [] : [archiveSource]),
];

/**
 * Fires the due timers and reports event source mappings that do not work.
 *
 * @throws Error if some timers cannot be fired, so that the invocation counts as failed. The next run retries these
 *   timers.
 */
export async function handler(_: unknown, context: Context): Promise<void> {
  const deadline = systemClock.now() + context.getRemainingTimeInMillis() - timeToEnd;
  const [{ failures }] = await Promise.all([
    fireTimers(dependencies, deadline),
    reportFaultyEventSources(),
  ]);
  if (failures.length > 0) throw new Error(`failed to fire timers: ${failures.join('; ')}`);
}

async function reportFaultyEventSources(): Promise<void> {
  const faulty = await findFaultyEventSources(mappings, eventSources);
  for (const { id, reason } of faulty)
    console.warn({ message: 'event source mapping does not work', mapping: id, reason });
  if (faulty.length > 0) faultyEventSourceMetric(faulty.length);
}
