import { join } from 'node:path';
import type { KinesisClient } from '@aws-sdk/client-kinesis';
import { FileCheckpoints, MemoryCheckpoints } from '../../aws-local/event-source/checkpoints.ts';
import { KinesisShardReader } from '../../aws-local/event-source/kinesis-shard-reader.ts';
import { ManagedMapping } from '../../aws-local/event-source/managed-mapping.ts';
import { FolderDestination } from '../../aws-local/event-source/on-failure-destination.ts';
import type { InvocationResult, Log } from '../../aws-local/event-source/options.ts';
import type { EventSourceProperties } from '../../aws-local/event-source/settings.ts';
import { LambdaApiError } from '../../aws-local/lambda/lambda-api-error.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import { systemRandom } from '../../aws-local/random.ts';
import { systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import type { DataFolder } from '../settings/data-folder.ts';
import type { EventSourceDefinition } from '../template/service-definition.ts';

/**
 * The interval of polls, in milliseconds. AWS polls every second. On this machine, every put to the endpoint triggers a
 * read of all shards, so polls would find nothing and only take processor time.
 */
const pollIntervalMs = 10_000;
/** The interval at which shards are listed, in milliseconds. A read that finds the end of a shard also lists them. */
const discoveryIntervalMs = 30_000;
/**
 * The minimum interval between reads, in milliseconds. Reads are up to four times as frequent as in AWS, for a faster
 * response; more reads would take processor time.
 */
const minimumReadIntervalMs = 50;

/** The dependencies of an event source. */
export interface EventSourceDependencies {
  readonly kinesis: KinesisClient;
  readonly host: LambdaHost;
  readonly folder: DataFolder;
  readonly log: Log;
}

/** Creates an event source mapping that the template defines. */
export function createEventSource(
  definition: EventSourceDefinition,
  { kinesis, host, folder, log }: EventSourceDependencies,
): ManagedMapping {
  const { id, functionArn, functionName, streamArn, streamName, settings } = definition;
  const reader = { client: kinesis, streamName, clock: systemClock, log };
  return new ManagedMapping({
    mapping: { uuid: id, streamArn, functionArn, roleArn: `${functionArn}/role` },
    properties: settings as EventSourceProperties,
    reader: new KinesisShardReader(reader),
    invoke: (event) => invoke(host, functionName, JSON.stringify(event)),
    waitForCapacity: () => host.waitForCapacity(functionName),
    checkpoints: folder.checkpoints
      ? new FileCheckpoints(join(folder.checkpoints, `${id}.json`))
      : new MemoryCheckpoints(),
    destination: new FolderDestination(join(folder.buckets, id), id, systemRandom),
    log,
    pollIntervalMs,
    discoveryIntervalMs,
    minimumReadIntervalMs,
  });
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
    // The payload is too large. Retrying it cannot succeed, but smaller batches can.
    if (error.statusCode === 413)
      return { kind: 'functionError', functionError: 'Unhandled', message };
    return { kind: error.statusCode === 429 ? 'throttled' : 'unavailable', message };
  }
}
