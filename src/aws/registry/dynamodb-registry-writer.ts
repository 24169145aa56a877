import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import { MilepostError } from '../../core/errors.ts';
import { addDeployedVersion, type ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { RegistryWriter } from '../../registrar/register-model.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { type VersionsItem, versionsId } from './versions-item.ts';

/** Attempts to write the versions of a model after concurrent writes by others. */
const attempts = 5;

/** Writes the registry of models. */
export class DynamoDbRegistryWriter implements RegistryWriter {
  readonly #documents: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#documents = DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    });
    this.#table = table;
  }

  async put(entry: RegistryEntry): Promise<RegistryEntry | undefined> {
    const { Attributes } = await this.#documents.send(
      new PutCommand({ TableName: this.#table, Item: entry, ReturnValues: 'ALL_OLD' }),
    );
    return Attributes as RegistryEntry | undefined;
  }

  async keepVersion(id: string, version: ModelVersion): Promise<readonly ModelVersion[]> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await this.#versions(id);
      const revision = before?.revision ?? 0;
      const versions = addDeployedVersion(before?.versions ?? [], version);
      const item = { id: versionsId(id), revision: revision + 1, versions };
      const isKept = await tryConditionalWrite(() =>
        this.#documents.send(
          new PutCommand({
            TableName: this.#table,
            Item: item,
            ConditionExpression: 'attribute_not_exists(id) OR revision = :revision',
            ExpressionAttributeValues: { ':revision': revision },
          }),
        ),
      );
      if (isKept) return versions;
    }
    throw new MilepostError(
      'contention',
      `other deployments registered versions of ${id} first ${attempts} times in a row; deploy again`,
    );
  }

  async remove(id: string, functionArn: string): Promise<'removed' | 'kept'> {
    const isRemoved = await tryConditionalWrite(() =>
      this.#documents.send(
        new DeleteCommand({
          TableName: this.#table,
          Key: { id },
          ConditionExpression: 'functionArn = :functionArn OR begins_with(functionArn, :published)',
          ExpressionAttributeValues: {
            ':functionArn': functionArn,
            ':published': `${functionArn}:`,
          },
        }),
      ),
    );
    if (!isRemoved) return 'kept';
    await this.#documents.send(
      new DeleteCommand({ TableName: this.#table, Key: { id: versionsId(id) } }),
    );
    return 'removed';
  }

  async #versions(id: string): Promise<VersionsItem | undefined> {
    const { Item } = await this.#documents.send(
      new GetCommand({
        TableName: this.#table,
        Key: { id: versionsId(id) },
        ConsistentRead: true,
      }),
    );
    return Item as VersionsItem | undefined;
  }
}
