import type { InstanceQuery } from '../../../src/api/stores/instance-lists.ts';
import { DynamoDbDeadLetterStore } from '../../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../../../src/aws/functions/lambda-model-invoker.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbStatusRows } from '../../../src/aws/instances/dynamodb-status-rows.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import type { Model } from '../../../src/core/model/model.ts';
import type { RegistryEntry } from '../../../src/core/model/registry-entry.ts';
import { dispatch } from '../../../src/dispatcher/dispatch.ts';
import type { DispatchDependencies } from '../../../src/dispatcher/dispatch-dependencies.ts';
import { FailureTracker } from '../../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../../src/dispatcher/registry-cache.ts';
import { CompletedTails } from '../../../src/model-runtime/completed-tails.ts';
import { handleModelRequest } from '../../../src/model-runtime/model-handler.ts';
import type { Notifier } from '../../../src/model-runtime/notifier.ts';
import type { ModelRequest } from '../../../src/model-runtime/protocol.ts';
import { SealingStore } from '../../../src/model-runtime/sealing/sealing-store.ts';
import type { StreamRecord } from '../../../src/stream/stream-record.ts';
import { dynamoDbOf, type Sending } from '../aws-in-memory/dynamodb-of.ts';
import { EventStreamInMemory } from '../aws-in-memory/event-stream-in-memory.ts';
import { instanceIndexes } from '../aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../aws-in-memory/memory-dynamodb.ts';
import { MemoryKms } from '../aws-in-memory/memory-kms.ts';
import { ModelRegistryInMemory } from '../aws-in-memory/model-registry-in-memory.ts';
import { NotifierInMemory } from '../aws-in-memory/notifier-in-memory.ts';
import { dataKeysInMemory } from '../aws-in-memory/stores-in-memory.ts';
import { macsOf } from '../data/event-macs.ts';
import { ManualClock } from '../manual-clock.ts';
import { registryEntry } from '../models/registry-entry.ts';

/** An event for the pipeline. The pipeline sets all other attributes. */
export interface PipelineEvent {
  readonly transaction: string;
  readonly type: string;
  readonly data?: unknown;
  readonly id?: string;
}

/**
 * The dispatcher and one model's function on an in-memory DynamoDB that enforces AWS's limits. Lambda and the stream
 * are omitted.
 */
export class Pipeline {
  readonly clock = new ManualClock();
  readonly database = new MemoryDynamoDb({ instances: { indexes: instanceIndexes }, letters: {} });
  readonly stream = new EventStreamInMemory();
  readonly notifier = new NotifierInMemory();
  /** Publishes the model's notifications. Tests can replace it. */
  notifying: Notifier = this.notifier;
  readonly kms = new MemoryKms();
  readonly keys = dataKeysInMemory(this.clock, this.kms);
  /** The logged reasons for parking events. */
  readonly parkedReasons: string[] = [];
  /** The logged reasons for redelivering records. */
  readonly failureReasons: string[] = [];
  readonly store: DynamoDbInstanceStore;
  readonly parking: DynamoDbParkingStore;
  readonly deadLetters: DynamoDbDeadLetterStore;
  readonly instances: SealingStore;
  readonly #model: Model;
  readonly #rows: DynamoDbStatusRows;
  readonly #completedTails = new CompletedTails();
  readonly #registry: RegistryCache;
  readonly #failureTracker = new FailureTracker();
  #records = 0;

  /** @param between wraps the database that the stores call */
  constructor(model: Model, between: (client: Sending) => Sending = (client) => client) {
    this.#model = model;
    const client = dynamoDbOf(between(this.database));
    this.store = new DynamoDbInstanceStore(client, 'instances');
    this.parking = new DynamoDbParkingStore(client, 'instances');
    this.deadLetters = new DynamoDbDeadLetterStore(client, 'letters', this.clock);
    this.#rows = new DynamoDbStatusRows(client, 'instances');
    this.instances = new SealingStore(this.store, this.keys, model);
    const entry: RegistryEntry = registryEntry(
      model.id,
      model.sensitive ? { sensitive: true } : {},
    );
    this.#registry = new RegistryCache(new ModelRegistryInMemory(entry), this.clock);
  }

  records(...events: readonly PipelineEvent[]): StreamRecord[] {
    return events.map(({ transaction, type, data = {}, id }): StreamRecord => {
      const n = ++this.#records;
      const sequence = String(10n ** 55n + BigInt(n));
      const event = {
        id: id ?? `e${n}`,
        source: 'test',
        type,
        modelid: this.#model.id,
        transactionid: transaction,
        time: '2026-01-01T00:00:00Z',
        data,
      };
      return {
        recordId: `shard-0:${sequence}`,
        position: { shard: 'shard-0', sequence },
        partitionKey: 'k',
        arrivedAt: this.clock.now(),
        data: Buffer.from(JSON.stringify(event)),
      };
    });
  }

  /** Passes a batch to the dispatcher. Returns the records to redeliver. */
  deliver(records: readonly StreamRecord[]): Promise<StreamRecord[]> {
    const environment: DispatchDependencies = {
      deaggregate: userRecords,
      registry: this.#registry,
      deadLetters: this.deadLetters,
      parking: this.parking,
      macs: macsOf(),
      stream: this.stream,
      models: new LambdaModelInvoker({
        invoke: async (_, payload) => ({
          payload: JSON.stringify(await this.#answer(JSON.parse(payload) as ModelRequest)),
        }),
      }),
      retry: { attempts: 1, backoff: 1 },
      failureTracker: this.#failureTracker,
      clock: this.clock,
      dataKeys: this.keys,
      log: {
        deadLetters: () => undefined,
        parked: (parked) => this.parkedReasons.push(...parked.map(({ reason }) => reason)),
        failures: (failures) => this.failureReasons.push(...failures.map(({ reason }) => reason)),
      },
    };
    return dispatch(environment, records);
  }

  /** Returns each event of an instance's history with its outcome, oldest first. */
  async history(
    transaction: string,
  ): Promise<{ id: string; outcome: string; reason: string | null }[]> {
    const entries: { id: string; outcome: string; reason: string | null }[] = [];
    for (let version = 1, more = true; more; ) {
      const page = await this.instances.commitsFrom(
        { model: this.#model.id, transaction },
        version,
        100,
      );
      for (const commit of page.commits)
        for (const { event, outcome, reason } of commit.entries)
          entries.push({ id: event.id, outcome, reason });
      ({ more } = page);
      version += page.commits.length;
    }
    return entries;
  }

  /** Returns the transaction ids of a list, sorted. */
  async found(query: InstanceQuery): Promise<string[]> {
    const lists = new DynamoDbInstanceLists(this.database.dynamoDb, 'instances');
    const { items } = await lists.list(query, { limit: 100 });
    return items.map(({ transaction }) => transaction).toSorted();
  }

  /** Returns the reason of each parked event of an instance, in order. */
  async queue(transaction: string): Promise<string[]> {
    const queue = await this.parking.oldest({ model: this.#model.id, transaction }, 1_000);
    return queue.map(({ reason }) => reason);
  }

  #answer(request: ModelRequest): Promise<object> {
    return handleModelRequest(
      {
        model: this.#model,
        store: this.instances,
        rows: this.#rows,
        stream: this.stream,
        notifier: this.notifying,
        clock: this.clock,
        dataKeys: this.keys,
        completedTails: this.#completedTails,
      },
      request,
    );
  }
}
