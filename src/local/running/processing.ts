import type { Endpoint } from '../../aws-local/endpoints/index.ts';
import type { ManagedMapping } from '../../aws-local/event-source/managed-mapping.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import type { DataFolder } from '../settings/data-folder.ts';
import type { ServiceDefinition } from '../template/service-definition.ts';
import { createEventSource } from './event-sources.ts';
import type { StalledStreamShard } from './health-server.ts';
import { messageLog } from './log-lines.ts';
import { startSchedule } from './schedules.ts';

/** The running event sources and schedules of a service, which stop when this object is disposed. */
export interface Processing extends AsyncDisposable {
  /** Returns the shards that have work but have made no progress for a minute plus the batching window. */
  stalledShards(): readonly StalledStreamShard[];
  /** The event source mappings, which the Lambda API manages. */
  readonly mappings: readonly ManagedMapping[];
}

export interface ProcessingDependencies {
  readonly kinesis: Endpoint;
  readonly dynamodb: Endpoint;
  readonly host: LambdaHost;
  readonly folder: DataFolder;
  readonly log: (line: string) => void;
  /**
   * The names of functions whose output is not logged. A schedule adds its function at the first failure, and removes
   * it at the next success.
   */
  readonly muted: Set<string>;
}

/** Starts the event sources and schedules of a deployed service. */
export async function startProcessing(
  { eventSources, schedules }: Pick<ServiceDefinition, 'eventSources' | 'schedules'>,
  { kinesis, dynamodb, host, folder, log, muted }: ProcessingDependencies,
): Promise<Processing> {
  await using started = new AsyncDisposableStack();
  const sources: { readonly stream: string; readonly source: ManagedMapping }[] = [];
  for (const definition of eventSources) {
    const source = await createEventSource(definition, {
      kinesisUrl: kinesis.url,
      dynamodbUrl: dynamodb.url,
      host,
      folder,
      log: messageLog(log),
    });
    if (source.properties.Enabled !== false) await source.enable();
    sources.push({ stream: definition.streamName, source });
    const endpoint = definition.tableName === undefined ? kinesis : dynamodb;
    endpoint.onPut((name, shardId) => {
      if (name === (definition.tableName ?? definition.streamName)) source.readNow(shardId);
    });
    started.defer(() => source.stop());
  }
  for (const definition of schedules) {
    const schedule = startSchedule(definition, { invoke: (call) => host.invoke(call), log, muted });
    started.defer(() => schedule.stop());
  }
  const running = started.move();
  return {
    mappings: sources.map(({ source }) => source),
    stalledShards: () =>
      sources.flatMap(({ stream, source }) =>
        source.stalledShards().map((shard) => ({ stream, ...shard })),
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
