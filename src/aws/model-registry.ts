import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import type { RegistryEntry } from '../core/registry-entry.ts';
import type { ModelRegistry } from '../service/ports.ts';
import type { RegistryWriter } from '../service/register.ts';

/**
 * The registry of models in a DynamoDB table with the partition key `id`. What it reads was checked
 * before it was put, and is not checked again.
 */
export class DynamoDbModelRegistry implements ModelRegistry, RegistryWriter {
  readonly #documents: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#documents = DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    });
    this.#table = table;
  }

  async get(id: string): Promise<RegistryEntry | undefined> {
    const { Item } = await this.#documents.send(
      new GetCommand({ TableName: this.#table, Key: { id } }),
    );
    return Item as RegistryEntry | undefined;
  }

  /** Every model, by id. */
  async list(): Promise<RegistryEntry[]> {
    const pages = paginateScan({ client: this.#documents }, { TableName: this.#table });
    const entries: RegistryEntry[] = [];
    for await (const { Items = [] } of pages) entries.push(...(Items as RegistryEntry[]));
    return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async put(entry: RegistryEntry): Promise<void> {
    await this.#documents.send(new PutCommand({ TableName: this.#table, Item: entry }));
  }

  async remove(id: string, functionArn: string): Promise<'removed' | 'kept'> {
    try {
      await this.#documents.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { id },
          ConditionExpression: 'functionArn = :functionArn',
          ExpressionAttributeValues: { ':functionArn': functionArn },
        }),
      );
      return 'removed';
    } catch (thrown) {
      if (thrown instanceof ConditionalCheckFailedException) return 'kept';
      throw thrown;
    }
  }
}
