import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { dynamoDbOperations } from '../../../src/aws-local/endpoints/operations.ts';
import { createTable, type Item, key } from './dynamodb-table.ts';
import { dynamoDbOf, sendJson } from './support.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
const TableName = 'values';

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = dynamoDbOf(endpoint);
  await createTable(client, TableName);
});
afterAll(() => endpoint.close());

const send = (operation: string, request: unknown) =>
  sendJson(endpoint, `DynamoDB_20120810.${operation}`, JSON.stringify(request));

const text = { S: 'text' };
const Key = key('a');
const ResourceArn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
const condition = {
  ConditionExpression: '#n <> :v',
  ExpressionAttributeNames: { '#n': 'n' },
  ExpressionAttributeValues: { ':v': text },
};
const select = `SELECT * FROM "${TableName}" WHERE pk = ? AND sk = ?`;
const statement = { Statement: select, Parameters: [text, text] };
const filter = { n: { ComparisonOperator: 'EQ', AttributeValueList: [text] } };
const keySchema = [{ AttributeName: 'pk', KeyType: 'HASH' }];
const Projection = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['n'] };
const throughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 };
const everyType = {
  ...{ n: { N: '1' }, b: { B: 'YQ==' }, bool: { BOOL: true }, null: { NULL: true } },
  ...{ list: { L: [text] }, map: { M: { text } } },
  ...{ ss: { SS: ['a'] }, ns: { NS: ['1'] }, bs: { BS: ['YQ=='] } },
};

/** Requests that contain every kind of member. */
const requests: [operation: string, request: object][] = [
  ['PutItem', { TableName, Item: { ...Key, ...everyType }, ...condition }],
  ['PutItem', { TableName, Item: Key, Expected: filter }],
  ['UpdateItem', { TableName, Key, UpdateExpression: 'SET m = :v', ...condition }],
  ['UpdateItem', { TableName, Key, AttributeUpdates: { m: { Action: 'PUT', Value: text } } }],
  ['DeleteItem', { TableName, Key, ...condition }],
  ['GetItem', { TableName, Key, AttributesToGet: ['n'] }],
  [
    'Query',
    {
      ...{ TableName, IndexName: 'by-part', Limit: 1, ExclusiveStartKey: { ...Key, part: text } },
      KeyConditionExpression: 'pk = :v',
      ExpressionAttributeValues: { ':v': text },
    },
  ],
  [
    'Query',
    {
      TableName,
      KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [text] } },
      QueryFilter: filter,
    },
  ],
  ['Scan', { TableName, ScanFilter: filter, Segment: 0, TotalSegments: 1 }],
  [
    'BatchGetItem',
    {
      RequestItems: {
        [TableName]: { Keys: [Key], ProjectionExpression: 'n', ConsistentRead: true },
      },
    },
  ],
  [
    'BatchWriteItem',
    { RequestItems: { [TableName]: [{ PutRequest: { Item: Key } }, { DeleteRequest: { Key } }] } },
  ],
  ['ExecuteStatement', statement],
  ['BatchExecuteStatement', { Statements: [statement] }],
  ['ExecuteTransaction', { TransactStatements: [statement], ClientRequestToken: 'a' }],
  ['TransactGetItems', { TransactItems: [{ Get: { TableName, Key } }] }],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName, Item: Key, ...condition } },
        { ConditionCheck: { TableName, Key: key('b'), ConditionExpression: 'pk = sk' } },
      ],
      ClientRequestToken: 'b',
    },
  ],
  [
    'CreateTable',
    {
      TableName: 'created',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: keySchema,
      ProvisionedThroughput: throughput,
      GlobalSecondaryIndexes: [
        { IndexName: 'index', KeySchema: keySchema, Projection, ProvisionedThroughput: throughput },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    },
  ],
  [
    'UpdateTable',
    {
      TableName: 'created',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: 'index', ProvisionedThroughput: throughput } },
      ],
    },
  ],
  ['DescribeTable', { TableName }],
  ['ListTables', { Limit: 1, ExclusiveStartTableName: 'abc' }],
  [
    'UpdateTimeToLive',
    { TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'n' } },
  ],
  ['DescribeTimeToLive', { TableName }],
  ['TagResource', { ResourceArn, Tags: [{ Key: 'a', Value: 'b' }] }],
  ['UntagResource', { ResourceArn, TagKeys: ['a'] }],
  ['ListTagsOfResource', { ResourceArn, NextToken: 'a' }],
  ['DeleteTable', { TableName: 'missing' }],
];

const wrongValues = [
  ...[null, 0, 1.5, true, '', 'x'],
  ...[[], [null], ['x'], {}, { a: null }, { S: null }, { L: [null] }],
  JSON.parse('{"__proto__":{"S":"x"}}') as object,
];

/** Yields copies of a value, each with a wrong value in place of one member at any depth. */
function* withWrongMember(value: unknown): Generator {
  yield* wrongValues;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    for (const wrong of withWrongMember(member))
      yield Array.isArray(value) ? value.with(Number(name), wrong) : { ...value, [name]: wrong };
}

describe('a request with a member of the wrong type', () => {
  it('is tested for every operation', () => {
    expect(new Set(requests.map(([operation]) => operation))).toEqual(
      new Set(dynamoDbOperations.names),
    );
  });

  it.each(requests)(
    'is rejected or accepted without an internal error: %s',
    async (operation, request) => {
      const failures: unknown[] = [];
      for (const wrong of withWrongMember(request)) {
        const { status, body } = await send(operation, wrong);
        if (status !== 200 && status !== 400) failures.push({ status, body, wrong });
      }
      expect(failures).toEqual([]);
    },
  );

  it.each<[string, object, string]>([
    [
      'PutItem',
      { TableName, Item: { pk: null } },
      'The supplied Item contains a null AttributeValue: pk is null',
    ],
    [
      'PutItem',
      { TableName, Item: { ...Key, list: { L: [null] } } },
      'The supplied Item contains a null AttributeValue',
    ],
    [
      'GetItem',
      { TableName, Key: { ...Key, map: { M: { a: null } } } },
      'The supplied Item contains a null AttributeValue: a is null',
    ],
    [
      'Scan',
      { TableName, FilterExpression: 'n = :v', ExpressionAttributeValues: { ':v': null } },
      'ExpressionAttributeValues contains invalid value: The supplied Item contains a null AttributeValue for key :v',
    ],
    [
      'BatchExecuteStatement',
      { Statements: [{ ...statement, Parameters: [null, text] }] },
      'The supplied Item contains a null AttributeValue',
    ],
    [
      'ExecuteStatement',
      { Statement: null },
      "1 validation error detected: Value null at 'statement' failed to satisfy constraint: Member must not be null",
    ],
    [
      'CreateTable',
      { TableName: 'new', AttributeDefinitions: [null], KeySchema: keySchema },
      "1 validation error detected: Value null at 'attributeDefinitions.1.member' failed to satisfy constraint: Member must not be null",
    ],
    [
      'TagResource',
      { ResourceArn, Tags: [{ Key: 'a' }] },
      "1 validation error detected: Value null at 'tags.1.member.value' failed to satisfy constraint: Member must not be null",
    ],
  ])(
    'receives the message of DynamoDB if the value is null: %s %j',
    async (operation, request, message) => {
      const { status, body } = await send(operation, request);
      expect({ status, body }).toMatchObject({ status: 400, body: { message } });
      expect((body as { __type: string }).__type).toMatch(/#ValidationException$/);
    },
  );

  it.each<[object, string]>([
    [{ Statement: 1 }, 'NUMBER_VALUE cannot be converted to String'],
    [{ ...statement, Parameters: 'x' }, 'Unexpected field type'],
    [{ ...statement, Parameters: [1] }, 'Unexpected value type in payload'],
  ])(
    'receives a SerializationException for a wrong type in a statement: %j',
    async (request, Message) => {
      const __type = 'com.amazon.coral.service#SerializationException';
      expect(await send('ExecuteStatement', request)).toEqual({
        status: 400,
        body: { __type, Message },
      });
      expect(await send('BatchExecuteStatement', { Statements: [request] })).toMatchObject({
        status: 400,
        body: { __type },
      });
    },
  );
});

/** Nests a value in the given number of maps. */
const inMaps = (count: number): Item[string] =>
  count === 0 ? text : { M: { a: inMaps(count - 1) } };

describe('an attribute with more than 32 levels', () => {
  const message = expect.stringContaining('Nesting Levels have exceeded supported limits');
  const put = (value: unknown) => ['PutItem', { TableName, Item: { ...Key, value } }] as const;
  const inLists = (count: number): Item[string] =>
    count === 0 ? text : { L: [inLists(count - 1)] };

  it.each<[string, (levels: number) => readonly [operation: string, request: object]]>([
    ['a map', (levels) => put(inMaps(levels - 1))],
    ['a list', (levels) => put(inLists(levels - 1))],
    [
      'a batch',
      (levels) => [
        'BatchWriteItem',
        {
          RequestItems: {
            [TableName]: [{ PutRequest: { Item: { ...Key, value: inMaps(levels - 1) } } }],
          },
        },
      ],
    ],
    [
      'a statement',
      (levels) => [
        'ExecuteStatement',
        {
          Statement: `UPDATE "${TableName}" SET v = ? WHERE pk = 'a' AND sk = 'STATUS'`,
          Parameters: [inMaps(levels - 1)],
        },
      ],
    ],
    [
      'an update of a member',
      (levels) => [
        'UpdateItem',
        {
          ...{ TableName, Key: key('nested'), UpdateExpression: 'SET v.a = :v' },
          ExpressionAttributeValues: { ':v': inMaps(levels - 2) },
        },
      ],
    ],
    [
      'a transaction',
      (levels) => [
        'TransactWriteItems',
        { TransactItems: [{ Put: { TableName, Item: { ...Key, value: inMaps(levels - 1) } } }] },
      ],
    ],
  ])('is rejected in %s', async (_, request) => {
    await send('PutItem', { TableName, Item: { ...key('nested'), v: inMaps(1) } });
    await send(...put(text));
    expect(await send(...request(32))).toMatchObject({ status: 200 });
    const { status, body } = await send(...request(33));
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toEqual(message);
  });

  it('is rejected if it would overflow the call stack', async () => {
    const Item = `{"pk":{"S":"a"},"sk":{"S":"a"},"v":${'{"L":['.repeat(100_000)}${']}'.repeat(100_000)}}`;
    const target = 'DynamoDB_20120810.PutItem';
    const json = `{"TableName":"${TableName}","Item":${Item}}`;
    expect(await sendJson(endpoint, target, json)).toMatchObject({
      status: 400,
      body: { message },
    });
  });
});

describe('SET', () => {
  it('assigns a value that later changes of the same update do not affect', async () => {
    const item = { ...key('copies'), n: { N: '1' }, m1: { M: { a: text } } };
    await client.send(new PutItemCommand({ TableName, Item: item }));
    await client.send(
      new UpdateItemCommand({
        ...{ TableName, Key: key('copies') },
        UpdateExpression: 'SET n0 = n, m0 = m1, m1.a = m1 ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: key('copies') }));
    expect(Item).toEqual({
      ...key('copies'),
      ...{ n0: { N: '1' }, n: { N: '2' } },
      ...{ m0: item.m1, m1: { M: { a: item.m1 } } },
    });
  });
});
