import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import pMap from 'p-map';
import { dynamoDb } from '../../src/aws/client/dynamodb.ts';
import { DynamoDbRegistryWriter } from '../../src/aws/registry/dynamodb-registry-writer.ts';
import { type Endpoint, startDynamoDb } from '../../src/aws-local/endpoints/index.ts';
import { kinesisEvent } from '../../src/aws-local/event-source/kinesis-event.ts';
import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import type { FunctionDefinition } from '../../src/aws-local/lambda/function-definition.ts';
import { inChunks } from '../../src/common/chunks.ts';
import { dynamoDbClient, runtimeEnvironment } from '../../src/local/running/aws-clients.ts';
import type { Item } from '../../test/support/item-size.ts';
import { registryEntry } from '../../test/support/models/registry-entry.ts';
import { registryRequest } from '../../test/support/models/registry-request.ts';
import { serviceAt } from '../../test/support/service/service-at.ts';
import { type Definition, functionOf } from '../support/definition.ts';
import { kinesisEndpoint, lambdaEndpoint, type Stub } from './aws-stubs.ts';
import { type Bundles, bundle } from './bundle.ts';
import { Worker } from './worker-host.ts';

/** A string about as long as the state and history of an instance. */
const filler = 'y'.repeat(600);

/**
 * A tracker on this machine. The dispatcher and the model `activation` run in separate processes with Milepost's real
 * AWS clients, and the embedded DynamoDB runs in another process. All other parts run in this process.
 */
export class RunningTracker {
  readonly bundles: Bundles;
  readonly dispatcher: Worker;
  readonly models: readonly Worker[];
  readonly #definition: Definition;
  readonly #database: Endpoint;
  readonly #client: DynamoDBClient;
  readonly #stubs: readonly Stub[];
  readonly #folder: string;

  private constructor(parts: {
    bundles: Bundles;
    dispatcher: Worker;
    models: readonly Worker[];
    definition: Definition;
    database: Endpoint;
    client: DynamoDBClient;
    stubs: readonly Stub[];
    folder: string;
  }) {
    this.bundles = parts.bundles;
    this.dispatcher = parts.dispatcher;
    this.models = parts.models;
    this.#definition = parts.definition;
    this.#database = parts.database;
    this.#client = parts.client;
    this.#stubs = parts.stubs;
    this.#folder = parts.folder;
  }

  static async start(
    definition: Definition,
    { notifications, environments }: { notifications: boolean; environments: number },
  ): Promise<RunningTracker> {
    const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
    const bundles = await bundle(folder);
    const database = await startDynamoDb({ port: 0, dataFolder: null });
    const client = dynamoDbClient(database.url);
    const stream = await kinesisEndpoint();
    const { service } = definition;
    for (const table of service.tables) await client.send(new CreateTableCommand(table));
    const { functionName } = service.eventSources[0]!;
    const dispatching = service.functions.find(({ name }) => name === functionName)!;
    const modeling = functionOf(service, 'activation');
    await new DynamoDbRegistryWriter(
      dynamoDb(serviceAt(database.url)),
      definition.registryTable,
    ).put(registryEntry('activation', { functionArn: modeling.arn }), registryRequest());
    const nowhere = {
      kinesis: stream.url,
      eventbridge: stream.url,
      dynamodb: database.url,
      kms: stream.url,
      secretsManager: stream.url,
    };
    const environment = (
      { environment: given }: FunctionDefinition,
      lambda: string,
    ): Record<string, string> => ({ ...given, ...runtimeEnvironment({ ...nowhere, lambda }) });
    const all = environment(modeling, stream.url);
    const { MILEPOST_NOTIFICATION_STREAM: _, ...quiet } = all;
    const env = notifications ? all : quiet;
    const models: Worker[] = [];
    while (models.length < environments) models.push(await Worker.start(bundles.model, env));
    let invocations = 0;
    const lambda = await lambdaEndpoint((payload) => {
      // As in Lambda, any environment can receive an invocation. The choice is pseudorandom and the same in every run.
      const draw = Number.parseInt(hash('sha1', String(invocations++)).slice(0, 8), 16);
      return models[draw % models.length]!.invoke(payload);
    });
    const dispatcher = await Worker.start(bundles.dispatcher, environment(dispatching, lambda.url));
    const stubs = [stream, lambda];
    return new RunningTracker({
      bundles,
      dispatcher,
      models,
      definition,
      database,
      client,
      stubs,
      folder,
    });
  }

  /**
   * Invokes the dispatcher with a batch.
   *
   * @throws Error if the dispatcher reports a failed record.
   */
  async deliver(batch: readonly ShardRecord[]): Promise<void> {
    const { streamArn } = this.#definition.service.eventSources[0]!;
    const mapping = { streamArn, roleArn: 'arn:aws:iam::000000000000:role/r' };
    const event = kinesisEvent(batch, 'shardId-000000000000', mapping as never);
    const answer = JSON.parse(await this.dispatcher.invoke(JSON.stringify(event))) as {
      batchItemFailures: unknown[];
    };
    if (answer.batchItemFailures.length > 0)
      throw new Error('the dispatcher returned records to the stream');
  }

  /** Puts items into the instances table unchanged. */
  async fill(items: readonly Item[]): Promise<void> {
    for (const some of inChunks(items, 25)) {
      const requests = some.map((Item) => ({ PutRequest: { Item } }));
      await this.#client.send(
        new BatchWriteItemCommand({
          RequestItems: { [this.#definition.instancesTable]: requests },
        }),
      );
    }
  }

  /**
   * Measures how much CPU time an event requires on this machine without Milepost, in milliseconds: one consistent read
   * and one conditional write through the AWS SDK's document client.
   */
  async plainWay(): Promise<number> {
    const documents = DynamoDBDocumentClient.from(this.#client);
    const TableName = this.#definition.deadLettersTable;
    let last = 0;
    const apply = async () => {
      const pk = `plain-${last++}`;
      const Key = { pk, sk: 'head' };
      await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
      const Item = { ...Key, version: 1, state: { status: 'New' }, text: filler };
      const ConditionExpression = 'attribute_not_exists(pk)';
      await documents.send(new PutCommand({ TableName, Item, ConditionExpression }));
    };
    const some = async (times: number) => {
      const before = process.cpuUsage();
      await pMap(Array.from({ length: times }), apply, { concurrency: 32 });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / times;
    };
    await some(2_000);
    return some(1_000);
  }

  /**
   * Returns the CPU time of the dispatcher and the model since they started, in milliseconds, and their peak memory in
   * bytes.
   */
  async use(): Promise<{ dispatcher: number; model: number; memory: number }> {
    const dispatcher = await this.dispatcher.use();
    const models = await Promise.all(this.models.map((model) => model.use()));
    return {
      dispatcher: dispatcher.cpu,
      model: models.reduce((sum, { cpu }) => sum + cpu, 0),
      memory: models.reduce((sum, { memory }) => sum + memory, dispatcher.memory),
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.dispatcher, ...this.models].map((worker) => worker.stop()));
    this.#client.destroy();
    for (const stub of this.#stubs) await stub.close();
    await this.#database.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
