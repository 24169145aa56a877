import { hash } from 'node:crypto';
import { activation } from '../../models/activation/model.ts';
import type { Kinesis } from '../../src/aws/client/kinesis.ts';
import type { Lambda } from '../../src/aws/client/lambda.ts';
import { DynamoDbDeadLetterStore } from '../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../../src/aws/functions/lambda-model-invoker.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbStatusRows } from '../../src/aws/instances/dynamodb-status-rows.ts';
import { toStreamRecord } from '../../src/aws/stream/kinesis-event.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import { kinesisEvent } from '../../src/aws-local/event-source/kinesis-event.ts';
import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import type { Clock } from '../../src/common/clock.ts';
import {
  type NotificationEvent,
  readNotificationRecord,
} from '../../src/core/effects/notification-record.ts';
import type { Model } from '../../src/core/model/model.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import {
  handleModelRequest,
  type ModelDependencies,
} from '../../src/model-runtime/model-handler.ts';
import { NotificationStream } from '../../src/model-runtime/notification-stream.ts';
import type { ModelRequest } from '../../src/model-runtime/protocol.ts';
import { MemoryDynamoDb } from '../../test/support/aws-in-memory/memory-dynamodb.ts';
import { ModelRegistryInMemory } from '../../test/support/aws-in-memory/model-registry-in-memory.ts';
import { registryEntry } from '../../test/support/models/registry-entry.ts';
import { skipSleep } from '../../test/support/skip-sleep.ts';
import type { Definition } from '../support/definition.ts';
import { jsonBytes, Meter } from './meter.ts';
import { meteredDynamoDb } from './metered-dynamodb.ts';
import { Rounds } from './rounds.ts';
import { shapeOf } from './table-shape.ts';

/** The numbers of a tracker's batches and waits. */
export interface Runs {
  /** The number of batches. Each batch invokes the dispatcher once and the model once. */
  batches: number;
  /** The number of batches that cause notifications. */
  withNotifications: number;
  /** How many times the model waited for responses. */
  rounds: number;
}

/** The time from the arrival of a batch's latest record to the batch's commits, in milliseconds. */
const lag = 40;

/** The dispatcher and the model `activation`, configured as in the deployment and connected to a metered DynamoDB. */
export class MeteredTracker {
  readonly meter = new Meter();
  readonly runs: Runs = { batches: 0, withNotifications: 0, rounds: 0 };
  readonly #definition: Definition;
  readonly #memory: MemoryDynamoDb;
  readonly #rounds = new Rounds();
  readonly #dispatcher: DispatchDependencies;
  #now = 0;
  #invocations = 0;

  /** @param environments the number of warm execution environments of the model, of which only one runs at a time. */
  constructor(
    definition: Definition,
    { notifications, environments }: { notifications: boolean; environments: number },
  ) {
    this.#definition = definition;
    const { instancesTable, deadLettersTable, service } = definition;
    const shapes = service.tables.map(shapeOf);
    const indexes = (name: string) => {
      const shape = shapes.find((each) => each.name === name)!;
      const keys = shape.indexes.map(({ name: index, key: [partition, sort] }) => [
        index,
        { partition, sort },
      ]);
      return { indexes: Object.fromEntries(keys) };
    };
    this.#memory = new MemoryDynamoDb({
      [instancesTable]: indexes(instancesTable),
      [deadLettersTable]: {},
    });
    const { dynamoDb } = this.#memory;
    const client = meteredDynamoDb(dynamoDb, shapes, this.meter, () => this.#rounds.answer());
    const clock: Clock = { now: () => this.#now, sleep: skipSleep };
    // Each environment has a separate cache of instances.
    const models = Array.from(
      { length: environments },
      (): ModelDependencies => ({
        model: activation as unknown as Model,
        store: new DynamoDbInstanceStore(client, instancesTable),
        rows: new DynamoDbStatusRows(client, instancesTable),
        stream: new KinesisEventStream(this.#kinesis(), 'events', clock),
        notifier: notifications
          ? new NotificationStream(
              new KinesisEventStream(this.#notifications(), 'notifications', clock),
            )
          : { publish: () => Promise.resolve() },
        clock,
      }),
    );
    this.#dispatcher = {
      deaggregate: userRecords,
      registry: new RegistryCache(new ModelRegistryInMemory(registryEntry('activation')), clock),
      deadLetters: new DynamoDbDeadLetterStore(client, deadLettersTable, clock),
      parking: new DynamoDbParkingStore(client, instancesTable),
      models: new LambdaModelInvoker(this.#lambda(models)),
      stream: new KinesisEventStream(this.#kinesis(), 'events', clock),
      retry: { attempts: 3, backoff: 200 },
      failureTracker: new FailureTracker(),
      clock,
      macs: { findFlaw: () => fail('events signed by Milepost') },
      log: {
        deadLetters: () => fail('dead letters'),
        parked: () => fail('parked events'),
        failures: ([first]) => fail(`records to redeliver: ${first?.reason}`),
      },
    };
  }

  /** Invokes the dispatcher with a batch. */
  async deliver(batch: readonly ShardRecord[]): Promise<void> {
    const [source] = this.#definition.service.eventSources;
    const mapping = { streamArn: source!.streamArn, roleArn: 'arn:aws:iam::000000000000:role/r' };
    const event = kinesisEvent(batch, 'shardId-000000000000', mapping as never);
    this.#now = batch.at(-1)!.arrivedAt + lag;
    this.runs.batches += 1;
    const before = this.meter.counts.total('notification records');
    const failed = await dispatch(this.#dispatcher, event.Records.map(toStreamRecord));
    if (this.meter.counts.total('notification records') > before) this.runs.withNotifications += 1;
    this.meter.request('Lambda dispatcher', event, {
      batchItemFailures: failed.map(({ position }) => position.sequence),
    });
  }

  reset(): void {
    this.meter.reset();
    this.runs.batches = 0;
    this.runs.withNotifications = 0;
    this.runs.rounds = 0;
  }

  /** Returns all items in the instances table. */
  items() {
    return this.#memory.items(this.#definition.instancesTable);
  }

  #lambda(models: readonly ModelDependencies[]): Lambda {
    return {
      invoke: async (_, payload) => {
        // Lambda chooses any idle environment, often not the one whose cache contains the instances.
        const draw = Number.parseInt(hash('sha1', String(this.#invocations++)).slice(0, 8), 16);
        const model = models[draw % models.length]!;
        const before = this.#rounds.count;
        const answer = await handleModelRequest(model, JSON.parse(payload) as ModelRequest);
        this.runs.rounds += this.#rounds.count - before;
        const text = JSON.stringify(answer);
        this.meter.request('Lambda model', Buffer.byteLength(payload), Buffer.byteLength(text));
        return { payload: text };
      },
    };
  }

  /**
   * Creates a stub of the notification stream. The stub counts bus events as if the publisher put each notification
   * once.
   */
  #notifications(): Kinesis {
    return {
      putRecords: async (input) => {
        await this.#rounds.answer();
        const answer = { Records: input.Records!.map(() => ({ SequenceNumber: '' })) };
        for (const { Data } of input.Records!) {
          this.meter.counts.add('notification records', 1);
          // EventBridge charges for each 64 KB chunk of an event as one event.
          for (const each of notificationsIn(Data!))
            this.meter.counts.add('bus events', Math.ceil(jsonBytes(each) / 65_536));
        }
        this.meter.request('Kinesis PutRecords', input, answer);
        return answer;
      },
    };
  }

  #kinesis(): Kinesis {
    return { putRecords: () => fail('events sent') };
  }
}

function notificationsIn(data: Uint8Array): readonly NotificationEvent[] {
  const read = readNotificationRecord(data);
  return 'flaw' in read ? fail(read.flaw) : read.record.notifications;
}

function fail(what: string): never {
  throw new Error(`the work must not contain ${what}`);
}
