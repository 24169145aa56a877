import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { ModelVersions } from '../../api/stores/model-versions.ts';
import type { ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { scanPages } from '../dynamodb/read-pages.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { entryIn } from './registered-item.ts';
import { isModelId, type VersionsItem, versionsId } from './versions-item.ts';

/**
 * Reads the model registry from a DynamoDB table with the partition key `id`, and replaces entries for rollbacks.
 * Entries are not validated when they are read.
 */
export class DynamoDbModelRegistry implements ModelRegistry, ModelVersions {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  get(id: string): Promise<RegistryEntry | undefined> {
    return this.#get(id, false);
  }

  getConsistent(id: string): Promise<RegistryEntry | undefined> {
    return this.#get(id, true);
  }

  async #get(id: string, ConsistentRead: boolean): Promise<RegistryEntry | undefined> {
    const Key = { id: { S: id } };
    const { Item } = await this.#client.getItem({ TableName: this.#table, Key, ConsistentRead });
    return entryIn(Item);
  }

  /** Lists all models, sorted by id. */
  async list(): Promise<RegistryEntry[]> {
    const entries: RegistryEntry[] = [];
    for await (const { Items = [] } of scanPages(this.#client, { TableName: this.#table })) {
      const items = Items.filter(({ id }) => isModelId(id?.S ?? ''));
      entries.push(...items.flatMap((item) => entryIn(item) ?? []));
    }
    return entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async versions(id: string): Promise<readonly ModelVersion[]> {
    const { Item } = await this.#client.getItem({
      TableName: this.#table,
      Key: { id: { S: versionsId(id) } },
      ConsistentRead: true,
    });
    return Item ? (unmarshall(Item) as VersionsItem).versions : [];
  }

  async replace(before: RegistryEntry, after: RegistryEntry): Promise<'replaced' | 'conflict'> {
    const isReplaced = await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: marshall(after, { removeUndefinedValues: true }),
        ConditionExpression:
          'functionArn = :functionArn AND registeredAt = :registeredAt AND attribute_not_exists(removed)',
        ExpressionAttributeValues: {
          ':functionArn': { S: before.functionArn },
          ':registeredAt': { S: before.registeredAt },
        },
      }),
    );
    return isReplaced ? 'replaced' : 'conflict';
  }
}
