import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { Counts } from '../../../src/api/stores/counts.ts';
import { DynamoDbCounterStore } from '../../../src/aws/counters/dynamodb-counter-store.ts';
import { DynamoDbCounts } from '../../../src/aws/counters/dynamodb-counts.ts';
import { DynamoDbMarkers } from '../../../src/aws/counters/dynamodb-markers.ts';
import { counterRebuild } from '../../../src/aws/counters/rebuild/counter-rebuild.ts';
import { DynamoDbCounterStates } from '../../../src/aws/counters/rebuild/dynamodb-counter-states.ts';
import { streamedRows } from '../../../src/aws/counters/streamed-rows.ts';
import type { Clock } from '../../../src/common/clock.ts';
import { countChanges } from '../../../src/counter/count-changes.ts';
import type { RebuildProgress } from '../../../src/counter/rebuild/rebuild-counters.ts';
import type { Item } from './dynamodb-expressions.ts';
import { type InstancesInMemory, instancesTable } from './instances-in-memory.ts';
import { MemoryDynamoDb } from './memory-dynamodb.ts';

const table = 'counters';

/** The counters of an instances table in memory. Every read first counts all pending changes to the table. */
export class CountersInMemory {
  readonly database = new MemoryDynamoDb({ [table]: {} });
  readonly counts: Counts;
  readonly #clock: Clock;
  readonly #instances: MemoryDynamoDb;
  #records: DynamoDBRecord[] = [];
  #sequence = 0;
  #counting: Promise<void> = Promise.resolve();

  constructor({ database }: InstancesInMemory, clock: Clock) {
    this.#instances = database;
    this.#clock = clock;
    database.listen(instancesTable, (before, after) => this.#append(before, after));
    const stored = new DynamoDbCounts(this.database.dynamoDb, table);
    this.counts = {
      countedModels: async () => {
        await this.countChanges();
        return stored.countedModels();
      },
      totals: async (models) => {
        await this.countChanges();
        return stored.totals(models);
      },
      deadlines: async (...given) => {
        await this.countChanges();
        return stored.deadlines(...given);
      },
      inGroup: async (...given) => {
        await this.countChanges();
        return stored.inGroup(...given);
      },
    };
  }

  /** Counts all changes to the table so far. */
  countChanges(): Promise<void> {
    this.#counting = this.#counting.then(() => this.#countChanges());
    return this.#counting;
  }

  async #countChanges(): Promise<void> {
    const client = this.database.dynamoDb;
    const records = this.#records;
    this.#records = [];
    const states = new DynamoDbCounterStates(client, table);
    await countChanges(
      {
        readGenerations: async () => (await states.read()).state,
        counters: new DynamoDbCounterStore(client, table, this.#clock),
        markers: new DynamoDbMarkers(client, table, this.#clock),
        logRetry: fail,
        logLost: fail,
      },
      'shard',
      streamedRows(records),
    );
  }

  /** Continues a rebuild, or starts one. */
  rebuild(deadline: number): Promise<RebuildProgress> {
    const client = this.database.dynamoDb;
    return counterRebuild(
      { client, table },
      { client: this.#instances.dynamoDb, table: instancesTable },
      this.#clock,
      fail,
    )(deadline);
  }

  #append(before: Item | undefined, after: Item | undefined): void {
    this.#sequence += 1;
    const { pk, sk } = (after ?? before)!;
    this.#records.push({
      dynamodb: {
        Keys: { pk: { S: pk!.S! }, sk: { S: sk!.S! } },
        SequenceNumber: String(this.#sequence),
        ApproximateCreationDateTime: this.#clock.now() / 1_000,
        ...(before && { OldImage: before as Record<string, AttributeValue> }),
        ...(after && { NewImage: after as Record<string, AttributeValue> }),
      },
    });
  }
}

/** The counters for tests of the API that rebuild no counters. */
export const countersWithoutRebuild = (instances: InstancesInMemory, clock: Clock) => ({
  counts: new CountersInMemory(instances, clock).counts,
  rebuildCounters: (): Promise<RebuildProgress> => Promise.resolve({ step: 'done', rows: 0 }),
});

const fail = (reason: unknown): never => {
  throw new Error(`a counter failed: ${String(reason)}`);
};
