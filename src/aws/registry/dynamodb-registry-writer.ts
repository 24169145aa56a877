import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { MilepostError } from '../../core/errors.ts';
import { addDeployedVersion, type ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { RegistryWriter } from '../../registrar/register-model.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { type VersionsItem, versionsId } from './versions-item.ts';

/** How many times to try to write a model's versions while other deployments write them. */
const attempts = 5;

export class DynamoDbRegistryWriter implements RegistryWriter {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async put(entry: RegistryEntry): Promise<RegistryEntry | undefined> {
    const { Attributes } = await this.#client.putItem({
      TableName: this.#table,
      Item: itemOf(entry),
      ReturnValues: 'ALL_OLD',
    });
    return Attributes && (unmarshall(Attributes) as RegistryEntry);
  }

  async keepVersion(id: string, version: ModelVersion): Promise<readonly ModelVersion[]> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await this.#versions(id);
      const revision = before?.revision ?? 0;
      const versions = addDeployedVersion(before?.versions ?? [], version);
      const item = { id: versionsId(id), revision: revision + 1, versions };
      const isKept = await tryConditionalWrite(() =>
        this.#client.putItem({
          TableName: this.#table,
          Item: itemOf(item),
          ConditionExpression: 'attribute_not_exists(id) OR revision = :revision',
          ExpressionAttributeValues: { ':revision': { N: String(revision) } },
        }),
      );
      if (isKept) return versions;
    }
    throw new MilepostError(
      'contention',
      `other deployments registered versions of ${id} at the same time, ${attempts} times in a row; deploy again`,
    );
  }

  async isEmpty(): Promise<boolean> {
    const first = { TableName: this.#table, Limit: 1, ConsistentRead: true };
    const { Items = [] } = await this.#client.scan(first);
    return Items.length === 0;
  }

  async remove(id: string, functionArn: string): Promise<'removed' | 'kept'> {
    const isRemoved = await tryConditionalWrite(() =>
      this.#client.deleteItem({
        TableName: this.#table,
        Key: keyOf(id),
        // If an earlier attempt removed only the entry, this attempt removes the versions.
        ConditionExpression:
          'attribute_not_exists(id) OR functionArn = :functionArn OR begins_with(functionArn, :published)',
        ExpressionAttributeValues: {
          ':functionArn': { S: functionArn },
          ':published': { S: `${functionArn}:` },
        },
      }),
    );
    if (!isRemoved) return 'kept';
    await this.#client.deleteItem({ TableName: this.#table, Key: keyOf(versionsId(id)) });
    return 'removed';
  }

  async #versions(id: string): Promise<VersionsItem | undefined> {
    const { Item: item } = await this.#client.getItem({
      TableName: this.#table,
      Key: keyOf(versionsId(id)),
      ConsistentRead: true,
    });
    return item && (unmarshall(item) as VersionsItem);
  }
}

const itemOf = (entry: RegistryEntry | VersionsItem): Item =>
  marshall(entry, { removeUndefinedValues: true });

const keyOf = (id: string) => ({ id: { S: id } });
