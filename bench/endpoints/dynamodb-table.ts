// The table that the DynamoDB measurements use.
import { type AttributeValue, CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Running, settings } from './support.ts';

export const TableName = 'rows';
export const WIDTH = 32;
export const key = (pk: string, sk = 'COMMIT#000000000001') => ({ pk: { S: pk }, sk: { S: sk } });
export const item = (pk: string, sk?: string): Record<string, AttributeValue> => ({
  ...key(pk, sk),
  status: { S: 'Active' },
  version: { N: '1' },
  state: { S: 'x'.repeat(600) },
});
export function clientOf(running: Running): DynamoDBClient {
  return new DynamoDBClient({
    ...settings,
    endpoint: running.url,
    maxAttempts: 1,
    requestHandler: { httpAgent: { keepAlive: true, maxSockets: WIDTH } },
  });
}

export async function createTable(client: DynamoDBClient): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'part', 'since'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'latest',
          KeySchema: [
            { AttributeName: 'part', KeyType: 'HASH' },
            { AttributeName: 'since', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    }),
  );
}
