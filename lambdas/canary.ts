import type { Context } from 'aws-lambda';
import { DynamoDbInstanceStore } from '../src/aws/instances/dynamodb-instance-store.ts';
import { KinesisEventStream } from '../src/aws/stream/kinesis-event-stream.ts';
import { type CanaryDependencies, checkPipeline } from '../src/canary/check-pipeline.ts';
import { systemClock } from '../src/common/clock.ts';
import { Deadline } from '../src/common/deadline.ts';
import { clients } from './support/clients.ts';
import { canaryLatencyMetric } from './support/monitoring/metrics.ts';
import { setting } from './support/settings.ts';

/** How much of the invocation's time to reserve for recording the result, in milliseconds. */
const timeToEnd = 5_000;

const dependencies: CanaryDependencies = {
  stream: new KinesisEventStream(clients.kinesis(), setting('MILEPOST_STREAM')),
  instances: new DynamoDbInstanceStore(clients.dynamoDb(), setting('MILEPOST_INSTANCES_TABLE')),
  clock: systemClock,
};

/**
 * Sends an event through the pipeline and records its latency.
 *
 * @throws Error with the reason if the event was not applied in time. In this case, no latency is recorded.
 */
export async function handler(_: unknown, context: Context): Promise<void> {
  const deadline = Deadline.in(systemClock, context.getRemainingTimeInMillis() - timeToEnd);
  canaryLatencyMetric(await checkPipeline(dependencies, deadline));
}
