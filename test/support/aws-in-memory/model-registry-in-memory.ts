import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbModelRegistry } from '../../../src/aws/registry/dynamodb-model-registry.ts';
import { DynamoDbRegistryWriter } from '../../../src/aws/registry/dynamodb-registry-writer.ts';
import type { RegistryEntry } from '../../../src/core/model/registry-entry.ts';
import { MemoryDynamoDb } from './memory-dynamodb.ts';

const table = 'registry';

export class ModelRegistryInMemory extends DynamoDbModelRegistry {
  readonly database: MemoryDynamoDb;
  readonly writer: DynamoDbRegistryWriter;
  /** The number of reads of each item, by id. */
  readonly reads: ReadonlyMap<string, number>;
  /** The ids of models that eventually consistent reads do not return yet. */
  readonly lagging: Set<string>;

  constructor(...entries: readonly RegistryEntry[]) {
    const database = new MemoryDynamoDb({ [table]: { key: { partition: 'id' } } });
    const reads = new Map<string, number>();
    const lagging = new Set<string>();
    const { dynamoDb } = database;
    const getItem: DynamoDb['getItem'] = async (input) => {
      const id = input.Key!.id!.S!;
      reads.set(id, (reads.get(id) ?? 0) + 1);
      const output = await dynamoDb.getItem(input);
      return lagging.has(id) && !input.ConsistentRead ? {} : output;
    };
    super({ ...dynamoDb, getItem }, table);
    this.database = database;
    this.reads = reads;
    this.lagging = lagging;
    this.writer = new DynamoDbRegistryWriter(dynamoDb, table);
    this.register(...entries);
  }

  /** Puts entries synchronously. */
  register(...entries: readonly RegistryEntry[]): void {
    for (const entry of entries)
      this.database.put(table, marshall(entry, { removeUndefinedValues: true }));
  }

  /** Deletes the entry of a model synchronously. */
  unregister(id: string): void {
    this.database.delete(table, { id: { S: id } });
  }
}
