import {
  type DynamoDBClient,
  PutItemCommand,
  type TransactGetItem,
  TransactGetItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { createTable, type Item, key } from '../../endpoints/dynamodb-table.ts';
import { dynamoDbOf } from '../../endpoints/support.ts';
import { canceled } from './support.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
const TableName = 'reads';
const other = 'other-reads';
const item = { ...key('a'), n: { N: '1' }, m: { M: { x: { S: 'x' }, y: { S: 'y' } } } };

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = dynamoDbOf(endpoint);
  for (const table of [TableName, other]) await createTable(client, table);
  await client.send(new PutItemCommand({ TableName, Item: item }));
  await client.send(new PutItemCommand({ TableName: other, Item: key('b') }));
});
afterAll(() => endpoint.close());

const get = (Key: Item, settings: Partial<TransactGetItem['Get']> = {}) => ({
  Get: { TableName, Key, ...settings },
});
const read = (TransactItems: TransactGetItem[], settings = {}) =>
  client.send(new TransactGetItemsCommand({ TransactItems, ...settings }));

describe('TransactGetItems', () => {
  it('returns the items of several tables in the order of the request, and {} for a missing item', async () => {
    const { Responses } = await read([
      get(key('missing')),
      get(key('b'), { TableName: other }),
      get(key('a')),
    ]);
    expect(Responses).toEqual([{}, { Item: key('b') }, { Item: item }]);
  });

  it('returns the attributes of a projection', async () => {
    const { Responses } = await read([
      get(key('a'), {
        ProjectionExpression: '#n, m.x',
        ExpressionAttributeNames: { '#n': 'n' },
      }),
    ]);
    expect(Responses).toEqual([{ Item: { n: { N: '1' }, m: { M: { x: { S: 'x' } } } } }]);
  });

  it('accepts 100 reads and the ARN of a table', async () => {
    const arn = `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`;
    const reads = Array.from({ length: 99 }, (_, n) => get(key(`${n}`)));
    const { Responses } = await read([...reads, get(key('a'), { TableName: arn })]);
    expect(Responses).toHaveLength(100);
    expect(Responses?.at(-1)).toEqual({ Item: item });
  });

  it('consumes twice the capacity of strongly consistent reads', async () => {
    const large = { ...key('large'), value: { S: 'x'.repeat(5_000) } };
    await client.send(new PutItemCommand({ TableName, Item: large }));
    const { ConsumedCapacity } = await read([get(key('large')), get(key('missing'))], {
      ReturnConsumedCapacity: 'INDEXES',
    });
    const capacity = { CapacityUnits: 6, ReadCapacityUnits: 6 };
    expect(ConsumedCapacity).toEqual([{ TableName, ...capacity, Table: capacity }]);
  });

  it('is canceled because of the first key that does not match the schema', async () => {
    const { message, reasons } = await canceled(read([get(key('a')), get({}), get({})]));
    expect(message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ValidationError, None]',
    );
    expect(reasons?.[1]).toEqual({
      Code: 'ValidationError',
      Message: 'The provided key element does not match the schema',
    });
  });

  it.each<[string, TransactGetItem[], string]>([
    ['no read', [], 'Member must have length greater than or equal to 1'],
    [
      'more than 100 reads',
      Array.from({ length: 101 }, (_, n) => get(key(`${n}`))),
      'Member must have length less than or equal to 100',
    ],
    ['a member without Get', [{ Get: undefined }], 'Member must not be null'],
    [
      'the same item twice',
      [get(key('a')), get(key('a'))],
      'Transaction request cannot include multiple operations on one item',
    ],
    ['an empty key', [get(key(''))], 'cannot contain an empty string value. Key: pk'],
    [
      'a projection with a syntax error',
      [get(key('a'), { ProjectionExpression: 'a b' })],
      'Invalid ProjectionExpression: Syntax error;',
    ],
    [
      'a name that the projection does not use',
      [get(key('a'), { ProjectionExpression: 'n', ExpressionAttributeNames: { '#n': 'n' } })],
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}',
    ],
  ])('rejects a request with %s', async (_, reads, message) => {
    await expect(read(reads)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message),
    });
  });

  it('rejects a request for more than 4 MB', async () => {
    const value = { S: 'x'.repeat(390 * 1024) };
    const keys = Array.from({ length: 11 }, (_, n) => key(`large-${n}`));
    for (const each of keys)
      await client.send(new PutItemCommand({ TableName, Item: { ...each, value } }));
    await expect(read(keys.map((each) => get(each)))).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(/^Payload in response is too large\./),
    });
    expect((await read(keys.slice(1).map((each) => get(each)))).Responses).toHaveLength(10);
  });

  it('rejects a request for a table that does not exist', async () => {
    await expect(read([get(key('a'), { TableName: 'missing' })])).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found',
    });
  });
});
