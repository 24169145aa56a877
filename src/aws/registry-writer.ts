import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RegistryEntry } from '../core/registry-entry.ts';
import type { RegistryWriter } from '../service/register.ts';

/** The registry of models, for whoever registers them. */
export class DynamoDbRegistryWriter implements RegistryWriter {
  readonly #documents: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#documents = DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    });
    this.#table = table;
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
