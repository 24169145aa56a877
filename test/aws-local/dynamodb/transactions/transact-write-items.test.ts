import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { createTable, type Item, key } from '../../endpoints/dynamodb-table.ts';
import { dynamoDbOf, sendJson } from '../../endpoints/support.ts';
import { canceled, operationsOf } from './support.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
let TableName = 'writes-0';
let operations: ReturnType<typeof operationsOf>;
const other = 'writes-other';

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = dynamoDbOf(endpoint);
  operations = operationsOf(client);
  await createTable(client, other);
});
afterAll(() => endpoint.close());
beforeEach(async () => {
  TableName = `writes-${Number(TableName.slice(7)) + 1}`;
  await createTable(client, TableName);
});

const transact = (...items: TransactWriteItem[]) => operations.transact(items);
const get = (Key: Item) => operations.get(TableName, Key);
const save = (Item: Item) => client.send(new PutItemCommand({ TableName, Item }));
const put = (Item: Item, settings: Partial<TransactWriteItem['Put']> = {}) => ({
  Put: { TableName, Item, ...settings },
});
const update = (pk: string, UpdateExpression: string, value?: Item[string]) => ({
  Update: {
    TableName,
    Key: key(pk),
    UpdateExpression,
    ...(value && { ExpressionAttributeValues: { ':value': value } }),
  },
});
const remove = (pk: string) => ({ Delete: { TableName, Key: key(pk) } });
const check = (pk: string, ConditionExpression: string) => ({
  ConditionCheck: { TableName, Key: key(pk), ConditionExpression },
});
const ifNew = { ConditionExpression: 'attribute_not_exists(pk)' };

describe('TransactWriteItems', () => {
  it('puts, updates, deletes, and checks items of several tables', async () => {
    await save({ ...key('updated'), n: { N: '1' } });
    await save(key('deleted'));
    await save(key('checked'));
    await transact(
      put({ ...key('new'), n: { N: '1.50' } }, ifNew),
      update('updated', 'ADD n :value', { N: '2' }),
      update('upserted', 'SET n = :value', { N: '4' }),
      remove('deleted'),
      remove('missing'),
      check('checked', 'attribute_exists(pk)'),
      { Put: { TableName: other, Item: key('new') } },
    );
    expect(await get(key('new'))).toEqual({ ...key('new'), n: { N: '1.5' } });
    expect(await get(key('updated'))).toEqual({ ...key('updated'), n: { N: '3' } });
    expect(await get(key('upserted'))).toEqual({ ...key('upserted'), n: { N: '4' } });
    expect(await get(key('deleted'))).toBeUndefined();
    expect(await get(key('checked'))).toEqual(key('checked'));
    expect(await operations.get(other, key('new'))).toEqual(key('new'));
  });

  it('updates index entries', async () => {
    const place = (part: string) => ({ part: { S: part }, since: { S: '1' } });
    for (const pk of ['put', 'updated', 'deleted']) await save({ ...key(pk), ...place('old') });
    await transact(
      put({ ...key('put'), ...place('new') }),
      update('updated', 'SET part = :value', { S: 'new' }),
      remove('deleted'),
    );
    expect(await operations.indexed(TableName, 'old')).toEqual([]);
    expect(await operations.indexed(TableName, 'new')).toHaveLength(2);
  });

  it('accepts the ARN of a table', async () => {
    const arn = `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`;
    await transact({ Put: { TableName: arn, Item: key('a') } });
    expect(await get(key('a'))).toEqual(key('a'));
  });

  it('accepts 100 actions', async () => {
    await transact(...Array.from({ length: 100 }, (_, n) => put(key(`${n}`))));
    expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(100);
  });

  it('can delete more than 4 MB', async () => {
    const value = { S: 'x'.repeat(390 * 1024) };
    const keys = Array.from({ length: 12 }, (_, n) => `${n}`);
    const requests = keys.map((pk) => ({ PutRequest: { Item: { ...key(pk), value } } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    await transact(...keys.map(remove));
    expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(0);
  });

  it('returns no response members unless the request asks for them', async () => {
    const { $metadata: _, ...response } = await transact(put(key('a')));
    expect(response).toEqual({});
  });

  it('consumes twice the capacity of single operations, in total and by table', async () => {
    const items = [
      put({ ...key('large'), value: { S: 'x'.repeat(1_500) } }),
      remove('missing'),
      { Put: { TableName: other, Item: key('a') } },
    ];
    const capacity = (CapacityUnits: number) => ({
      CapacityUnits,
      WriteCapacityUnits: CapacityUnits,
    });
    const total = await operations.transact(items, { ReturnConsumedCapacity: 'TOTAL' });
    expect(total.ConsumedCapacity).toEqual([
      { TableName, ...capacity(6) },
      { TableName: other, ...capacity(2) },
    ]);
    const byTable = await operations.transact(items, { ReturnConsumedCapacity: 'INDEXES' });
    expect(byTable.ConsumedCapacity).toEqual([
      { TableName, ...capacity(6), Table: capacity(6) },
      { TableName: other, ...capacity(2), Table: capacity(2) },
    ]);
  });

  it('returns the item collections that it writes if the table has a local index', async () => {
    await save(key('checked'));
    const { ItemCollectionMetrics } = await operations.transact(
      [
        put(key('a')),
        update('b', 'REMOVE n'),
        remove('c'),
        check('checked', 'pk = sk OR pk <> sk'),
      ],
      { ReturnItemCollectionMetrics: 'SIZE' },
    );
    const collection = (pk: string) => ({
      ItemCollectionKey: { pk: { S: pk } },
      SizeEstimateRangeGB: [0, 1],
    });
    expect(ItemCollectionMetrics).toEqual({ [TableName]: ['a', 'b', 'c'].map(collection) });
  });
});

describe('a transaction whose conditions fail', () => {
  it('writes nothing, and returns the reason of each action in the order of the request', async () => {
    const old = { ...key('old'), n: { N: '1' } };
    await save(old);
    const { message, reasons } = await canceled(
      transact(
        put(key('new')),
        put(key('old'), ifNew),
        update('old2', 'SET n = :value', { N: '1' }),
        check('missing', 'attribute_exists(pk)'),
      ),
    );
    expect(message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, None, ConditionalCheckFailed]',
    );
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    expect(reasons).toEqual([{ Code: 'None' }, failed, { Code: 'None' }, failed]);
    expect((await client.send(new ScanCommand({ TableName }))).Items).toEqual([old]);
  });

  it('returns the current item of each action that asks for it', async () => {
    const item = { ...key('a'), n: { N: '1' }, m: { M: { x: { L: [{ BOOL: true }] } } } };
    await save(item);
    await save(key('b'));
    const returned = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
    const notReturned = { ReturnValuesOnConditionCheckFailure: 'NONE' as const };
    const { reasons } = await canceled(
      transact(
        put(key('a'), { ...ifNew, ...returned }),
        put(key('b'), { ...ifNew, ...notReturned }),
        put(key('missing'), { ConditionExpression: 'attribute_exists(pk)', ...returned }),
      ),
    );
    expect(reasons?.map(({ Item }) => Item)).toEqual([item, undefined, undefined]);
  });

  it('evaluates nested conditions', async () => {
    await save({ ...key('a'), n: { N: '7' } });
    let condition = 'n = :n0';
    const values: Item = { ':n0': { N: '0' } };
    for (let n = 1; n <= 12; n += 1) {
      condition = `(${condition} OR n = :n${n})`;
      values[`:n${n}`] = { N: `${n}` };
    }
    const conditional = (not: string) => ({
      Delete: {
        TableName,
        Key: key('a'),
        ConditionExpression: `${not} ${condition}`,
        ExpressionAttributeValues: values,
      },
    });
    expect((await canceled(transact(conditional('NOT')))).reasons).toHaveLength(1);
    await transact(conditional(''));
    expect(await get(key('a'))).toBeUndefined();
  });
});

describe('a transaction with an invalid action', () => {
  const action = (kind: string, request: object) =>
    ({ [kind]: { TableName, ...request } }) as TransactWriteItem;
  const value = (one: Item[string]) => ({ ExpressionAttributeValues: { ':value': one } });

  it.each<[string, string, object, string]>([
    ['a missing key', 'Put', { Item: { pk: { S: 'a' } } }, 'Missing the key sk in the item'],
    [
      'a key of another type',
      'Put',
      { Item: { ...key('a'), pk: { N: '1' } } },
      'Type mismatch for key pk expected: S actual: N',
    ],
    [
      'a key with too many attributes',
      'Delete',
      { Key: { ...key('a'), n: { N: '1' } } },
      'The provided key element does not match the schema',
    ],
    [
      'an index key of another type',
      'Put',
      { Item: { ...key('a'), part: { N: '1' } } },
      'Type mismatch for Index Key part Expected: S Actual: N',
    ],
    [
      'an update of the key',
      'Update',
      { Key: key('a'), UpdateExpression: 'SET pk = :value', ...value({ S: 'b' }) },
      'Cannot update attribute pk. This attribute is part of the key',
    ],
    [
      'an operand of another type than the current value',
      'Update',
      { Key: key('a'), UpdateExpression: 'SET t = t + :value', ...value({ N: '1' }) },
      'An operand in the update expression has an incorrect data type',
    ],
    [
      'a path that does not exist',
      'Update',
      { Key: key('a'), UpdateExpression: 'SET m.x = :value', ...value({ N: '1' }) },
      'The document path provided in the update expression is invalid for update',
    ],
    [
      'an update that makes the item too large',
      'Update',
      {
        Key: key('a'),
        UpdateExpression: 'SET v = :value',
        ...value({ S: 'x'.repeat(400 * 1024 - 8) }),
      },
      'Item size to update has exceeded the maximum allowed size',
    ],
  ])('is canceled: %s', async (_, kind, request, message) => {
    await save({ ...key('a'), t: { S: 'text' } });
    const { reasons } = await canceled(transact(put(key('new')), action(kind, request)));
    expect(reasons).toEqual([
      { Code: 'None' },
      { Code: 'ValidationError', Message: expect.stringContaining(message) },
    ]);
    expect(await get(key('new'))).toBeUndefined();
  });

  it('is canceled because of its first invalid action, before any condition is evaluated', async () => {
    const wrongKey = { ...key('a'), pk: { N: '1' } };
    const { reasons } = await canceled(
      transact(check('missing', 'attribute_exists(pk)'), put(wrongKey), put(wrongKey)),
    );
    expect(reasons?.map(({ Code }) => Code)).toEqual(['None', 'ValidationError', 'None']);
  });

  const minimum = 'Member must have length greater than or equal to 1';
  const maximum = 'Member must have length less than or equal to 100';
  const large = { S: 'x'.repeat(390 * 1024) };
  it.each<[string, () => TransactWriteItem[], string]>([
    [
      'no action',
      () => [],
      `1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: ${minimum}`,
    ],
    [
      'more than 100 actions',
      () => Array.from({ length: 101 }, (_, n) => put(key(`${n}`))),
      maximum,
    ],
    [
      'an action of no kind',
      () => [{}],
      'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
    ],
    [
      'an action of two kinds',
      () => [{ ...put(key('b')), ...remove('c') }],
      'TransactItems can only contain one of Check, Put, Update or Delete',
    ],
    [
      'two actions on one item',
      () => [put(key('b')), check('b', 'attribute_exists(pk)')],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'values of more than 4 MB',
      () => Array.from({ length: 11 }, (_, n) => put({ ...key(`${n}`), large })),
      'Transaction payload size cannot exceed 4MB.',
    ],
    [
      'an item of more than 400 KB',
      () => [put({ ...key('b'), large, more: { S: 'x'.repeat(10 * 1024) } })],
      'Item size has exceeded the maximum allowed size',
    ],
    [
      'an empty key',
      () => [put(key(''))],
      'The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    ],
    [
      'a number that is not numeric',
      () => [put({ ...key('b'), n: { N: 'one' } })],
      'The parameter cannot be converted to a numeric value: one',
    ],
    [
      'a condition with a syntax error',
      () => [put(key('b'), { ConditionExpression: 'hello!' })],
      'Invalid ConditionExpression: Syntax error;',
    ],
    [
      'a value that no expression uses',
      () => [put(key('b'), { ...ifNew, ...value({ N: '1' }) })],
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:value}',
    ],
    [
      'a condition check without a condition',
      () => [action('ConditionCheck', { Key: key('b') })],
      "Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to satisfy constraint: Member must not be null",
    ],
    [
      'an update without an expression',
      () => [action('Update', { Key: key('b') })],
      "Value null at 'transactItems.1.member.update.updateExpression' failed to satisfy constraint: Member must not be null",
    ],
    [
      'an unknown value of ReturnValuesOnConditionCheckFailure',
      () => [action('Delete', { Key: key('b'), ReturnValuesOnConditionCheckFailure: 'ALL_NEW' })],
      "Value 'ALL_NEW' at 'transactItems.1.member.delete.returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, NONE]",
    ],
  ])('is rejected: %s', async (_, items, message) => {
    await expect(transact(...items())).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message),
    });
    expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(0);
  });

  it('is rejected if a table does not exist', async () => {
    const missing = { Put: { TableName: 'missing', Item: key('a') } };
    await expect(transact(put(key('a')), missing)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found',
    });
    expect(await get(key('a'))).toBeUndefined();
  });

  it.each(['{"TransactItems":[null]}', '{"TransactItems":"text"}', '{}'])(
    'is rejected if the JSON does not have the structure of a transaction: %s',
    async (json) => {
      const target = 'DynamoDB_20120810.TransactWriteItems';
      expect(await sendJson(endpoint, target, json)).toMatchObject({ status: 400 });
    },
  );
});
