import type { Context } from 'aws-lambda';
import { KinesisStreamReader } from '../src/aws/installation/kinesis-stream-reader.ts';
import { IndexPartitionsWriter } from '../src/aws/instances/index-partitions-writer.ts';
import { findFaultyEventSources } from '../src/clock/check-event-sources.ts';
import { fireTimers } from '../src/clock/fire-timers.ts';
import { indexPartitionGrowth } from '../src/clock/grow-index-partitions.ts';
import { lookAhead, scheduleWakeups } from '../src/clock/schedule-wakeups.ts';
import { systemClock } from '../src/common/clock.ts';
import { messageOf } from '../src/common/message-of.ts';
import { clients } from './support/clients.ts';
import { dueTimers, timeToEnd } from './support/due-timers.ts';
import { faultyEventSourceMetric } from './support/monitoring/metrics.ts';
import { optionalSetting, setting } from './support/settings.ts';
import { wakeups } from './support/wakeups.ts';

const dependencies = dueTimers();
const nextRuns = wakeups(lookAhead);

const streams = new KinesisStreamReader(clients.kinesis());
const growIndexPartitions = indexPartitionGrowth({
  openShards: async () => (await streams.read(setting('MILEPOST_STREAM')))?.openShards,
  partitions: new IndexPartitionsWriter(
    clients.dynamoDb(),
    setting('MILEPOST_INSTANCES_TABLE'),
    systemClock,
  ),
  clock: systemClock,
});

const mappings = clients.eventSourceMappings();
const eventSources = ['MILEPOST_EVENT_SOURCES', 'MILEPOST_EVENT_SOURCES_ONLY_IN_AWS'].flatMap(
  (name) => optionalSetting(name)?.split(',') ?? [],
);

/**
 * Fires the due timers, marks the instances that became late, schedules runs for the exact seconds of the next timers,
 * raises the number of index partitions, and reports event source mappings that do not work.
 *
 * @throws Error if a timer cannot be fired or the number of index partitions cannot be raised. The invocation then
 *   fails, and the next run tries again.
 */
export async function handler(_: unknown, context: Context): Promise<void> {
  const deadline = systemClock.now() + context.getRemainingTimeInMillis() - timeToEnd;
  const [{ failures }, [grown]] = await Promise.all([
    fireTimers(dependencies, deadline),
    Promise.allSettled([growIndexPartitions()]),
    scheduleNextRuns(deadline),
    reportFaultyEventSources(),
  ]);
  const problems = [
    ...(failures.length > 0 ? [`failed to fire timers: ${failures.join('; ')}`] : []),
    ...(grown.status === 'rejected'
      ? [`failed to raise the number of index partitions: ${messageOf(grown.reason)}`]
      : []),
  ];
  if (problems.length > 0) throw new Error(problems.join('; '));
}

async function scheduleNextRuns(deadline: number): Promise<void> {
  if (!nextRuns) return;
  const failure = await scheduleWakeups({ ...dependencies, wakeups: nextRuns }, deadline);
  if (failure !== undefined)
    console.warn({ message: 'failed to read the next timers', reason: failure });
}

async function reportFaultyEventSources(): Promise<void> {
  const faulty = await findFaultyEventSources(mappings, eventSources);
  for (const { id, reason } of faulty)
    console.warn({ message: 'event source mapping does not work', mapping: id, reason });
  if (faulty.length > 0) faultyEventSourceMetric(faulty.length);
}
