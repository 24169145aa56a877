import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { createTable, key } from './dynamodb-table.ts';
import { dynamoDbOf, running } from './support.ts';

const name = 'by-arn';
const arn = `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`;

async function clientOfTable() {
  const client = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder: null })));
  onTestFinished(() => client.destroy());
  await createTable(client, name);
  return client;
}

describe('a table', () => {
  it('can be identified by its ARN, with any region and account', async () => {
    const client = await clientOfTable();
    const TableName = arn;
    const item = { TableName, Key: key('a') };
    await client.send(new PutItemCommand({ TableName, Item: key('a') }));
    await client.send(
      new UpdateItemCommand({
        ...item,
        UpdateExpression: 'SET part = :part',
        ExpressionAttributeValues: { ':part': { S: 'p' } },
      }),
    );
    const Item = { ...key('a'), part: { S: 'p' } };
    expect(await client.send(new GetItemCommand(item))).toMatchObject({ Item });
    const query = {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
    };
    expect(await client.send(new QueryCommand({ TableName, ...query }))).toMatchObject({
      Items: [Item],
    });
    await client.send(new DeleteItemCommand(item));
    expect(await client.send(new ScanCommand({ TableName }))).toMatchObject({ Count: 0 });

    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.TableName).toBe(name);
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires' };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
    const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(ttl.TimeToLiveDescription).toMatchObject({ AttributeName: 'expires' });
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const;
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    const { TableDescription } = await client.send(new DeleteTableCommand({ TableName }));
    expect(TableDescription?.TableName).toBe(name);
  });

  it('is identified by its ARN in the response to a batch if the request also uses the ARN', async () => {
    const client = await clientOfTable();
    const put = { PutRequest: { Item: key('a') } };
    await client.send(new BatchWriteItemCommand({ RequestItems: { [arn]: [put] } }));
    const { Responses } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [arn]: { Keys: [key('a')] } } }),
    );
    expect(Responses).toEqual({ [arn]: [key('a')] });
  });

  it('cannot be identified by both its ARN and its name in one batch', async () => {
    const client = await clientOfTable();
    const put = { PutRequest: { Item: key('a') } };
    const both = client.send(
      new BatchWriteItemCommand({ RequestItems: { [name]: [put], [arn]: [put] } }),
    );
    await expect(both).rejects.toMatchObject({
      name: 'ValidationException',
      message: `RequestItems must contain each table once; got ${name} and ${arn}`,
    });
  });
});

describe('a request of more than 16 MB', () => {
  it('is rejected with an explanation', async () => {
    const client = await clientOfTable();
    const part = { S: 'x'.repeat(17 * 1024 * 1024) };
    const put = client.send(new PutItemCommand({ TableName: name, Item: { ...key('a'), part } }));
    await expect(put).rejects.toMatchObject({
      name: 'RequestEntityTooLargeException',
      message: 'A request must not exceed 16 MB.',
    });
  });
});
