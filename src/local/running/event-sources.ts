import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { FileCheckpoints, MemoryCheckpoints } from '../../aws-local/event-source/checkpoints.ts';
import { dynamoDbFormat } from '../../aws-local/event-source/dynamodb-event.ts';
import { DynamoDbShardReader } from '../../aws-local/event-source/dynamodb-shard-reader.ts';
import { DynamoDbStreamsClient } from '../../aws-local/event-source/dynamodb-streams-client.ts';
import { kinesisFormat } from '../../aws-local/event-source/kinesis-event.ts';
import { KinesisReadClient } from '../../aws-local/event-source/kinesis-read-client.ts';
import { KinesisShardReader } from '../../aws-local/event-source/kinesis-shard-reader.ts';
import { ManagedMapping } from '../../aws-local/event-source/managed-mapping.ts';
import { FolderDestination } from '../../aws-local/event-source/on-failure-destination.ts';
import type {
  EventSourceOptions,
  InvocationResult,
  Log,
} from '../../aws-local/event-source/options.ts';
import type { EventSourceProperties } from '../../aws-local/event-source/settings.ts';
import { LambdaApiError } from '../../aws-local/lambda/lambda-api-error.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import { systemRandom } from '../../aws-local/random.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import type { DataFolder } from '../settings/data-folder.ts';
import type { EventSourceDefinition } from '../template/service-definition.ts';
import { dynamoDbClient } from './aws-clients.ts';

/**
 * The interval between polls, in milliseconds. AWS polls a Kinesis shard once per second and a DynamoDB shard four
 * times per second. On this machine, every write to a stream or table triggers a read, so frequent polls would only use
 * CPU time.
 */
const pollIntervalMs = 10_000;
/**
 * The interval at which shards are listed, in milliseconds. They are also listed whenever a read reaches the end of a
 * shard.
 */
const discoveryIntervalMs = 30_000;
/**
 * The minimum interval between reads whose records could not be processed immediately, in milliseconds, without and
 * with a batching window. More frequent reads would only use CPU time. Without a batching window, a shard that has no
 * batch in progress is read as soon as a put is announced.
 */
const minimumReadIntervalMs = { withoutWindow: 100, withWindow: 200 };

/**
 * The minimum interval between writes of a checkpoint file, in milliseconds. If the service is killed, the records that
 * it processed since the last write are redelivered.
 */
const checkpointIntervalMs = 100;

export interface EventSourceDependencies {
  readonly kinesisUrl: string;
  readonly dynamodbUrl: string;
  readonly host: LambdaHost;
  readonly folder: DataFolder;
  readonly log: Log;
}

/**
 * Creates an event source mapping from its definition in the template. The stream or table that it reads must exist.
 */
export async function createEventSource(
  definition: EventSourceDefinition,
  dependencies: EventSourceDependencies,
): Promise<ManagedMapping> {
  const { host, folder, log } = dependencies;
  const { id, functionArn, functionName, settings } = definition;
  const { streamArn, ...source } = await openStream(definition, dependencies);
  const properties = settings as EventSourceProperties;
  const hasWindow = (properties.MaximumBatchingWindowInSeconds ?? 0) > 0;
  return new ManagedMapping({
    mapping: { uuid: id, streamArn, functionArn, roleArn: `${functionArn}/role` },
    properties,
    ...source,
    invoke: (event) => invoke(host, functionName, JSON.stringify(event)),
    waitForCapacity: () => host.waitForCapacity(functionName),
    checkpoints: folder.checkpoints
      ? new FileCheckpoints(join(folder.checkpoints, `${id}.json`))
      : new MemoryCheckpoints(),
    destination: new FolderDestination(join(folder.buckets, id), id, systemRandom),
    log,
    combineLanes: true,
    checkpointIntervalMs,
    pollIntervalMs,
    discoveryIntervalMs,
    minimumReadIntervalMs: hasWindow
      ? minimumReadIntervalMs.withWindow
      : minimumReadIntervalMs.withoutWindow,
  });
}

/** Returns the ARN of an event source's stream, a reader of the stream, and the format of its records. */
async function openStream(
  { streamArn, streamName, tableName }: EventSourceDefinition,
  { kinesisUrl, dynamodbUrl, log }: EventSourceDependencies,
): Promise<Pick<EventSourceOptions, 'reader' | 'format'> & { readonly streamArn: string }> {
  const options = { clock: systemClock, log };
  if (tableName === undefined) {
    const client = new KinesisReadClient(kinesisUrl);
    const reader = new KinesisShardReader({ client, streamName, ...options });
    return { streamArn, reader, format: kinesisFormat };
  }
  const latest = await latestStreamArn(dynamodbUrl, tableName);
  const client = new DynamoDbStreamsClient(dynamodbUrl);
  const reader = new DynamoDbShardReader({ client, streamArn: latest, ...options });
  return { streamArn: latest, reader, format: dynamoDbFormat };
}

async function latestStreamArn(dynamodbUrl: string, TableName: string): Promise<string> {
  const client = dynamoDbClient(dynamodbUrl);
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table?.LatestStreamArn !== undefined) return Table.LatestStreamArn;
    throw new StartError(
      `an event source mapping reads the stream of the table ${TableName}, but the table has no stream; set the table's StreamSpecification`,
    );
  } finally {
    client.destroy();
  }
}

async function invoke(
  host: LambdaHost,
  functionName: string,
  payload: string,
): Promise<InvocationResult> {
  try {
    const {
      functionError,
      payload: answer,
      requestId,
    } = await host.invoke({ functionName, payload });
    return functionError
      ? { kind: 'functionError', functionError, message: answer, requestId }
      : { kind: 'ok', response: JSON.parse(answer) as unknown, requestId };
  } catch (error) {
    const message = messageOf(error);
    if (!(error instanceof LambdaApiError)) throw error;
    // The payload is too large. A retry cannot succeed, but bisecting the batch can.
    if (error.statusCode === 413)
      return { kind: 'functionError', functionError: 'Unhandled', message };
    return { kind: error.statusCode === 429 ? 'throttled' : 'unavailable', message };
  }
}
