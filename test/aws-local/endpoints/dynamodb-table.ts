import {
  type AttributeValue,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { expect, vi } from 'vitest';

export type Item = Record<string, AttributeValue>;

export const key = (pk: string, sk = 'STATUS') => ({ pk: { S: pk }, sk: { S: sk } });

/** Creates a table with a global index, `latest`, and a local index, `by-part`. */
export async function createTable(client: DynamoDBClient, TableName: string): Promise<void> {
  const index = (IndexName: string, hash: string, range: string) => ({
    IndexName,
    KeySchema: [
      { AttributeName: hash, KeyType: 'HASH' as const },
      { AttributeName: range, KeyType: 'RANGE' as const },
    ],
    Projection: { ProjectionType: 'ALL' as const },
  });
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: index('', 'pk', 'sk').KeySchema,
      AttributeDefinitions: ['pk', 'sk', 'part', 'since'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [index('latest', 'part', 'since')],
      LocalSecondaryIndexes: [index('by-part', 'pk', 'part')],
    }),
  );
  await vi.waitFor(async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.TableStatus).toBe('ACTIVE');
  });
}
