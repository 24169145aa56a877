import {
  type ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { createTable, key } from './dynamodb-table.ts';
import { dynamoDbOf, sendJson } from './support.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
const TableName = 'parameters';

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = dynamoDbOf(endpoint);
  await createTable(client, TableName);
});
afterAll(() => endpoint.close());

const names = { '#n': 'n' };
const five = { ':five': { N: '5' } };
const isFive = {
  ConditionExpression: '#n = :five',
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: five,
};

describe('a write whose condition fails', () => {
  const item = { ...key('a'), n: { N: '1' } };
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD' as const;
  const request = { TableName, ...isFive, ReturnValuesOnConditionCheckFailure };

  it.each([
    ['PutItem', () => client.send(new PutItemCommand({ ...request, Item: key('a') }))],
    ['DeleteItem', () => client.send(new DeleteItemCommand({ ...request, Key: key('a') }))],
    [
      'UpdateItem',
      () =>
        client.send(
          new UpdateItemCommand({ ...request, Key: key('a'), UpdateExpression: 'SET #n = :five' }),
        ),
    ],
  ])('returns the item if the request asks for it (%s)', async (_, write) => {
    await client.send(new PutItemCommand({ TableName, Item: item }));
    const error = await write().catch((reason: ConditionalCheckFailedException) => reason);
    expect(error).toMatchObject({ name: 'ConditionalCheckFailedException', Item: item });
  });

  it('returns no item if the request does not ask for the item or the item does not exist', async () => {
    const put = (pk: string, others = {}) =>
      client
        .send(new PutItemCommand({ TableName, Item: key(pk), ...isFive, ...others }))
        .catch((reason: ConditionalCheckFailedException) => reason);
    await client.send(new PutItemCommand({ TableName, Item: item }));
    const withoutItem = { name: 'ConditionalCheckFailedException', Item: undefined };
    expect(await put('a')).toMatchObject(withoutItem);
    expect(await put('missing', { ReturnValuesOnConditionCheckFailure })).toMatchObject(
      withoutItem,
    );
  });
});

describe('the metrics of an item collection', () => {
  const put = (table: string, ReturnItemCollectionMetrics: 'SIZE' | 'NONE') =>
    client.send(
      new PutItemCommand({ TableName: table, Item: key('a'), ReturnItemCollectionMetrics }),
    );

  it('are returned for a table with a local index', async () => {
    const ItemCollectionMetrics = {
      ItemCollectionKey: { pk: { S: 'a' } },
      SizeEstimateRangeGB: [0, 1],
    };
    expect(await put(TableName, 'SIZE')).toMatchObject({ ItemCollectionMetrics });
    const deletion = { TableName, Key: key('a'), ReturnItemCollectionMetrics: 'SIZE' as const };
    expect(await client.send(new DeleteItemCommand(deletion))).toMatchObject({
      ItemCollectionMetrics,
    });
  });

  it('are not returned if the request does not ask for them or the table has no local index', async () => {
    expect(await put(TableName, 'NONE')).not.toHaveProperty('ItemCollectionMetrics');
    const { KeySchema, AttributeDefinitions } = {
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
    };
    const table = { TableName: 'simple', BillingMode: 'PAY_PER_REQUEST' as const };
    await client.send(new CreateTableCommand({ ...table, KeySchema, AttributeDefinitions }));
    await expect.poll(() => put('simple', 'SIZE').catch(() => null)).not.toBeNull();
    expect(await put('simple', 'SIZE')).not.toHaveProperty('ItemCollectionMetrics');
    await client.send(new DeleteTableCommand({ TableName: 'simple' }));
  });
});

it('an update that only removes attributes returns no updated attributes', async () => {
  const request = { TableName, Key: key('removed'), UpdateExpression: 'REMOVE n' };
  const response = await client.send(
    new UpdateItemCommand({ ...request, ReturnValues: 'UPDATED_NEW' }),
  );
  expect(response.Attributes).toBeUndefined();
});

describe('reads that DynamoDB rejects', () => {
  it.each<[string, Partial<QueryCommandInput>, RegExp]>([
    [
      'SPECIFIC_ATTRIBUTES without attributes',
      { Select: 'SPECIFIC_ATTRIBUTES' },
      /SPECIFIC_ATTRIBUTES/,
    ],
    [
      'ALL_ATTRIBUTES with a projection',
      { Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'n' },
      /ALL_ATTRIBUTES/,
    ],
    ['a limit of 0', { Limit: 0 }, /'Limit' .* greater than or equal to 1/],
  ])('include a Query with %s', async (_, parameters, message) => {
    const query = client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'a' } },
        ...parameters,
      }),
    );
    await expect(query).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, Partial<ScanCommandInput>, RegExp]>([
    [
      'SPECIFIC_ATTRIBUTES without attributes',
      { Select: 'SPECIFIC_ATTRIBUTES' },
      /SPECIFIC_ATTRIBUTES/,
    ],
    ['a segment without the number of segments', { Segment: 0 }, /TotalSegments/],
  ])('include a Scan with %s', async (_, parameters, message) => {
    await expect(client.send(new ScanCommand({ TableName, ...parameters }))).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message),
    });
  });

  it('do not include a Query with COUNT, or with SPECIFIC_ATTRIBUTES and a projection', async () => {
    await client.send(new PutItemCommand({ TableName, Item: { ...key('read'), n: { N: '5' } } }));
    const query = {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'read' } },
    };
    const count = await client.send(new QueryCommand({ ...query, Select: 'COUNT' }));
    expect(count).toMatchObject({ Count: 1 });
    const Select = 'SPECIFIC_ATTRIBUTES';
    const some = await client.send(
      new QueryCommand({ ...query, Select, ProjectionExpression: 'n' }),
    );
    expect(some.Items).toEqual([{ n: { N: '5' } }]);
  });
});

it('CreateTable rejects a table name of fewer than 3 characters', async () => {
  const create = client.send(
    new CreateTableCommand({
      TableName: 'ab',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    }),
  );
  await expect(create).rejects.toMatchObject({
    name: 'ValidationException',
    message:
      "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
  });
});

describe('a malformed request', () => {
  it.each(['DescribeTable', 'ListTables', 'GetItem', 'BatchGetItem', 'UpdateTable'])(
    'is rejected if it is null, and the endpoint keeps running: %s',
    async (operation) => {
      expect(await sendJson(endpoint, `DynamoDB_20120810.${operation}`, 'null')).toMatchObject({
        status: 400,
        body: { __type: expect.stringMatching('#SerializationException') },
      });
      await client.send(new PutItemCommand({ TableName, Item: key('after') }));
    },
  );

  it.each([
    ['ListTagsOfResource', 'not-an-arn'],
    ['ListTagsOfResource', ':'.repeat(1_000)],
    ['TagResource', `arn:aws:dynamodb:us-east-1:000000000000:${'/'.repeat(1_000_000)}\\n`],
    ['UntagResource', ':'.repeat(1_000)],
  ])('is rejected immediately if its ARN is invalid: %s', async (operation, arn) => {
    const body = `{"ResourceArn":"${arn}","Tags":[],"TagKeys":[]}`;
    expect(await sendJson(endpoint, `DynamoDB_20120810.${operation}`, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching('Invalid TableArn') },
    });
  });

  it('is rejected if the name of its table is empty', async () => {
    await expect(
      client.send(new PutItemCommand({ TableName: '', Item: key('a') })),
    ).rejects.toMatchObject({
      name: 'ValidationException',
      message:
        "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
    });
  });
});
