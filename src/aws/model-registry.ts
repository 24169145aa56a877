import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { RegistryEntry } from '../core/registry-entry.ts';
import type { ModelRegistry } from '../service/ports.ts';
import type { DynamoDb, Page } from './client/dynamodb.ts';

/**
 * The registry of models in a DynamoDB table with the partition key `id`. What it reads was checked
 * before it was put, and is not checked again.
 */
export class DynamoDbModelRegistry implements ModelRegistry {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async get(id: string): Promise<RegistryEntry | undefined> {
    const { Item } = await this.#client.getItem({ TableName: this.#table, Key: { id: { S: id } } });
    return Item && (unmarshall(Item) as RegistryEntry);
  }

  /** Every model, by id. */
  async list(): Promise<RegistryEntry[]> {
    const entries: RegistryEntry[] = [];
    for (let from: Page['LastEvaluatedKey'], more = true; more; more = from !== undefined) {
      const page = await this.#client.scan({ TableName: this.#table, ExclusiveStartKey: from });
      for (const item of page.Items ?? []) entries.push(unmarshall(item) as RegistryEntry);
      from = page.LastEvaluatedKey;
    }
    return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}
