import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { MilepostError } from '../../core/errors.ts';
import { addDeployedVersion, type ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { RegistryRequest, RegistryWriter } from '../../registrar/register-model.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import {
  afterDeletion,
  entryOf,
  type RegisteredItem,
  type RemovedModel,
  replacedBy,
} from './registered-item.ts';
import { type VersionsItem, versionsId } from './versions-item.ts';

/** How many times to try to change an item while other deployments or rollbacks change it. */
const attempts = 5;

export class DynamoDbRegistryWriter implements RegistryWriter {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async put(
    entry: RegistryEntry,
    request: RegistryRequest,
  ): Promise<{ readonly replaced: RegistryEntry | undefined } | 'superseded'> {
    const changed = await this.#change<RegistryEntry | RemovedModel>(
      entry.id,
      request,
      (before) => ({
        ...entry,
        registeredBy: request.resource,
        replaced: replacedBy(request, entryOf(before)),
      }),
    );
    if (!('supersededBy' in changed)) return { replaced: entryOf(changed.before) };
    requireOwnEntry(request, changed.supersededBy);
    return 'superseded';
  }

  async keepVersion(
    id: string,
    version: ModelVersion,
    request: RegistryRequest,
  ): Promise<readonly ModelVersion[] | 'superseded'> {
    const changed = await this.#change<VersionsItem>(versionsId(id), request, (before) => ({
      id: versionsId(id),
      registeredAt: request.at,
      registeredBy: request.resource,
      versions: addDeployedVersion(before?.versions ?? [], version),
      replaced: replacedBy(request, before),
    }));
    return 'supersededBy' in changed ? 'superseded' : changed.after.versions;
  }

  async isEmpty(): Promise<boolean> {
    const first = { TableName: this.#table, Limit: 1, ConsistentRead: true };
    const { Items = [] } = await this.#client.scan(first);
    return Items.length === 0;
  }

  async remove(id: string, request: RegistryRequest): Promise<void> {
    const registeredAt = request.at;
    const changed = await this.#change<RegistryEntry | RemovedModel>(
      id,
      request,
      (before) => afterDeletion(request, before) ?? { id, registeredAt, removed: true },
    );
    if ('supersededBy' in changed) return;
    await this.#change<VersionsItem>(
      versionsId(id),
      request,
      (before) =>
        afterDeletion(request, before) ?? {
          id: versionsId(id),
          registeredAt,
          versions: [],
        },
    );
  }

  /**
   * Changes an item unless a later request or rollback has changed it.
   *
   * @param change returns the item after the change. It can be called several times.
   */
  async #change<Stored extends RegisteredItem>(
    id: string,
    { at, isTimed }: RegistryRequest,
    change: (before: Stored | undefined) => Stored,
  ): Promise<
    | { readonly before: Stored | undefined; readonly after: Stored }
    | { readonly supersededBy: Stored }
  > {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { Item } = await this.#client.getItem({
        TableName: this.#table,
        Key: { id: { S: id } },
        ConsistentRead: true,
      });
      const before = Item && (unmarshall(Item) as Stored);
      if (isTimed && before?.registeredAt !== undefined && before.registeredAt > at)
        return { supersededBy: before };
      const after = change(before);
      const isChanged = await tryConditionalWrite(() =>
        this.#client.putItem({
          TableName: this.#table,
          Item: marshall(after, { removeUndefinedValues: true }),
          ...unchangedSince(before?.registeredAt),
        }),
      );
      if (isChanged) return { before, after };
    }
    throw new MilepostError(
      'contention',
      `other deployments or rollbacks changed ${id} in the registry at the same time, ${attempts} times in a row; deploy again`,
    );
  }
}

/**
 * Fails a creation if an operator has rolled the model back in the meantime and the model still belongs to another
 * resource. If the creation succeeded, CloudFormation would delete that resource, and with it the model.
 */
function requireOwnEntry(
  { type, resource }: RegistryRequest,
  stored: RegistryEntry | RemovedModel,
): void {
  const entry = entryOf(stored);
  if (type === 'Create' && entry && entry.registeredBy !== resource)
    throw new MilepostError(
      'contention',
      `the model ${entry.id} was rolled back while this deployment moved it to another resource; deploy again`,
    );
}

/**
 * Returns the condition that an item still has the given time. An item has no time if it does not exist, or if it was
 * stored before it had a time.
 */
const unchangedSince = (registeredAt: string | undefined) =>
  registeredAt === undefined
    ? { ConditionExpression: 'attribute_not_exists(registeredAt)' }
    : {
        ConditionExpression: 'registeredAt = :registeredAt',
        ExpressionAttributeValues: { ':registeredAt': { S: registeredAt } },
      };
