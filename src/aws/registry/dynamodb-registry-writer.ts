import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { MilepostError } from '../../core/errors.ts';
import { addDeployedVersion, type ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { RegistryWriter } from '../../registrar/register-model.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { entryIn, type RemovedModel } from './removed-model.ts';
import { type VersionsItem, versionsId } from './versions-item.ts';

/** How many times to try to write a model's versions while other deployments write them. */
const attempts = 5;

/** A time that is later than all others. */
const endOfTime = '9999-12-31T23:59:59.999Z';

export class DynamoDbRegistryWriter implements RegistryWriter {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async put(
    entry: RegistryEntry,
    unlessAfter: string = endOfTime,
  ): Promise<{ readonly replaced: RegistryEntry | undefined } | 'superseded'> {
    let replaced: RegistryEntry | undefined;
    const isPut = await tryConditionalWrite(async () => {
      const { Attributes } = await this.#client.putItem({
        TableName: this.#table,
        Item: itemOf(entry),
        ConditionExpression: 'attribute_not_exists(id) OR registeredAt <= :unlessAfter',
        ExpressionAttributeValues: { ':unlessAfter': { S: unlessAfter } },
        ReturnValues: 'ALL_OLD',
      });
      replaced = entryIn(Attributes);
    });
    return isPut ? { replaced } : 'superseded';
  }

  async keepVersion(
    id: string,
    version: ModelVersion,
    unlessAfter: string = endOfTime,
  ): Promise<readonly ModelVersion[] | 'superseded'> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await this.#versions(id);
      if (isNewer(before, unlessAfter)) return 'superseded';
      const revision = before?.revision ?? 0;
      const versions = addDeployedVersion(before?.versions ?? [], version);
      const item = { id: versionsId(id), revision: revision + 1, versions };
      const isKept = await tryConditionalWrite(() =>
        this.#client.putItem({
          TableName: this.#table,
          Item: itemOf(item),
          ConditionExpression: 'attribute_not_exists(id) OR revision = :revision',
          ExpressionAttributeValues: revisionIs(revision),
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

  async remove(
    id: string,
    functionArn: string,
    removedAt: string,
    unlessAfter: string = endOfTime,
  ): Promise<'removed' | 'kept'> {
    const removed: RemovedModel = {
      id,
      functionArn,
      registeredAt: removedAt,
      removed: true,
    };
    const isRemoved = await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: itemOf(removed),
        // If an earlier attempt removed only the entry, this attempt removes the versions.
        ConditionExpression: [
          'attribute_not_exists(id)',
          'registeredAt <= :unlessAfter AND attribute_exists(removed)',
          'registeredAt <= :unlessAfter AND functionArn = :functionArn',
          'registeredAt <= :unlessAfter AND begins_with(functionArn, :published)',
        ].join(' OR '),
        ExpressionAttributeValues: {
          ':unlessAfter': { S: unlessAfter },
          ':functionArn': { S: functionArn },
          ':published': { S: `${functionArn}:` },
        },
      }),
    );
    if (!isRemoved) return 'kept';
    await this.#removeVersions(id, unlessAfter);
    return 'removed';
  }

  async #removeVersions(id: string, unlessAfter: string): Promise<void> {
    const before = await this.#versions(id);
    if (!before || isNewer(before, unlessAfter)) return;
    // If the condition fails, a later deployment has registered the model again, or an earlier one has kept a version.
    // The next deployment drops such a version because it belongs to another function.
    await tryConditionalWrite(() =>
      this.#client.deleteItem({
        TableName: this.#table,
        Key: keyOf(versionsId(id)),
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: revisionIs(before.revision),
      }),
    );
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

/** Returns true if the latest version was registered after a time. */
const isNewer = (item: VersionsItem | undefined, time: string) =>
  (item?.versions[0]?.registeredAt ?? '') > time;

const revisionIs = (revision: number) => ({ ':revision': { N: String(revision) } });

const itemOf = (item: RegistryEntry | RemovedModel | VersionsItem): Item =>
  marshall(item, { removeUndefinedValues: true });

const keyOf = (id: string) => ({ id: { S: id } });
