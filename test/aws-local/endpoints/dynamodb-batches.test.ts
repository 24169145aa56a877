import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { createTable, type Item, key } from './dynamodb-table.ts';
import { dynamoDbOf } from './support.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
let TableName = 'batches-0';

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = dynamoDbOf(endpoint);
});
afterAll(() => endpoint.close());
beforeEach(async () => {
  TableName = `batches-${Number(TableName.slice(8)) + 1}`;
  await createTable(client, TableName);
});

const write = (...requests: WriteRequest[]) =>
  client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
const put = (Item: Item): WriteRequest => ({ PutRequest: { Item } });
const get = async (Key: Item) =>
  (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
const indexed = async (part: string) =>
  (
    await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'latest',
        KeyConditionExpression: 'part = :part',
        ExpressionAttributeValues: { ':part': { S: part } },
      }),
    )
  ).Items;

describe('batch writes of the DynamoDB endpoint', () => {
  it('replace and delete items together with their index entries', async () => {
    const [old, now] = ['p', 'q'].map((part) => ({ part: { S: part }, since: { S: '1' } }));
    await write(put({ ...key('a'), ...old }), put({ ...key('b'), ...old }));
    await write(
      put({ ...key('a'), ...now }),
      { DeleteRequest: { Key: key('b') } },
      { DeleteRequest: { Key: key('missing') } },
    );
    expect(await get(key('b'))).toBeUndefined();
    expect(await indexed('p')).toEqual([]);
    expect(await indexed('q')).toEqual([{ ...key('a'), ...now }]);
  });

  it('normalize numbers and store sets and documents', async () => {
    const numbers = { n: { N: '1.50' }, e: { N: '1e3' }, s: { NS: ['2.0', '1'] } };
    await write(put({ ...key('a'), ...numbers, l: { L: [{ M: { x: { NULL: true } } }] } }));
    expect(await get(key('a'))).toMatchObject({
      n: { N: '1.5' },
      e: { N: '1000' },
      s: { NS: expect.arrayContaining(['1', '2']) },
      l: { L: [{ M: { x: { NULL: true } } }] },
    });
  });

  it.each<[string, Item[]]>([
    ['an item without a key', [{ pk: { S: 'a' } }]],
    ['a key of another type', [{ ...key('a'), sk: { N: '1' } }]],
    ['an empty key', [key('a', '')]],
    ['an index key of another type', [{ ...key('a'), part: { N: '1' } }]],
    ['a number that is not numeric', [{ ...key('a'), n: { N: 'one' } }]],
    ['a value of two types', [{ ...key('a'), n: { N: '1', S: '1' } as never }]],
    ['an item of more than 400 KB', [{ ...key('a'), value: { S: 'x'.repeat(400 * 1024) } }]],
    ['the same item twice', [key('a'), key('a')]],
    ['more than 25 items', Array.from({ length: 26 }, (_, n) => key(`${n}`))],
  ])('write no item if the request contains %s', async (_, items) => {
    const refused = write(put(key('other')), ...items.map(put));
    await expect(refused).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await get(key('other'))).toBeUndefined();
  });

  it('reject a request without items', async () => {
    const refused = client.send(new BatchWriteItemCommand({ RequestItems: {} }));
    const message = 'The requestItems parameter is required for BatchWriteItem';
    await expect(refused).rejects.toMatchObject({ name: 'ValidationException', message });
  });

  it('reject a table that does not exist', async () => {
    const RequestItems = { missing: [put(key('a'))] };
    const refused = client.send(new BatchWriteItemCommand({ RequestItems }));
    await expect(refused).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('do not interfere with concurrent updates of the same items', async () => {
    const increment = (pk: string) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: key(pk),
          UpdateExpression: 'ADD n :one SET part = :part, since = if_not_exists(since, :since)',
          ExpressionAttributeValues: {
            ...{ ':one': { N: '1' }, ':part': { S: pk }, ':since': { S: '1' } },
          },
        }),
      );
    const statement = (pk: string, part: string) => ({
      Statement: `UPDATE "${TableName}" SET part = ? WHERE pk = ? AND sk = ?`,
      Parameters: [{ S: part }, ...Object.values(key(pk))],
    });
    const ids = Array.from({ length: 8 }, (_, n) => `i${n}`);
    await Promise.all(ids.map(increment));
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const Statements = (n % 2 ? ids : ids.toReversed()).map((id) => statement(id, `p${n % 2}`));
        const batch = client.send(new BatchExecuteStatementCommand({ Statements }));
        await Promise.all([batch, ...ids.map(increment)]);
      }),
    );
    const items = await Promise.all(ids.map((id) => get(key(id))));
    expect(items.map((item) => item?.['n'])).toEqual(ids.map(() => ({ N: '21' })));
    for (const part of ['p0', 'p1', ...ids])
      expect(await indexed(part)).toHaveLength(
        items.filter((item) => item?.['part']?.S === part).length,
      );
  });
});

describe('BatchGetItem of the DynamoDB endpoint', () => {
  const read = (Keys: Item[], others = {}) =>
    client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ...others } } }));

  it('returns the attributes of a projection', async () => {
    const item = { ...key('a'), n: { N: '1' }, m: { M: { x: { S: 'x' }, y: { S: 'y' } } } };
    await client.send(new PutItemCommand({ TableName, Item: item }));
    const { Responses } = await read([key('a'), key('missing')], {
      ProjectionExpression: '#n, m.x',
      ExpressionAttributeNames: { '#n': 'n' },
    });
    expect(Responses).toEqual({
      [TableName]: [{ n: { N: '1' }, m: { M: { x: { S: 'x' } } } }],
    });
  });

  it('returns up to 16 MB and reports the remaining keys as unprocessed', async () => {
    const keys = Array.from({ length: 50 }, (_, n) => key(`large-${n}`));
    const value = { S: 'x'.repeat(390 * 1024) };
    for (let n = 0; n < 50; n += 25)
      await write(...keys.slice(n, n + 25).map((each) => put({ ...each, value })));
    const found: Item[] = [];
    let rounds = 0;
    for (let left: Item[] = keys; left.length > 0; rounds += 1) {
      const { Responses, UnprocessedKeys } = await read(left, { ConsistentRead: true });
      found.push(...Responses![TableName]!);
      const { Keys = [], ...others } = UnprocessedKeys?.[TableName] ?? { ConsistentRead: true };
      expect(others).toEqual({ ConsistentRead: true });
      left = Keys;
    }
    expect(rounds).toBe(2);
    expect(new Set(found.map(({ pk }) => pk?.S))).toEqual(new Set(keys.map(({ pk }) => pk.S)));
    expect(found).toHaveLength(keys.length);
  });

  it('rejects more than 100 keys of a table and names the table', async () => {
    const keys = Array.from({ length: 101 }, (_, n) => key(`${n}`));
    await expect(read(keys)).rejects.toMatchObject({
      name: 'ValidationException',
      message: `1 validation error detected: Value at 'RequestItems.${TableName}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100`,
    });
  });

  it.each<[string, Item[], object]>([
    ['no key', [], {}],
    ['the same key twice', [key('a'), key('b'), key('a')], {}],
    ['an incomplete key', [{ pk: { S: 'a' } }], {}],
    ['a key of another type', [{ ...key('a'), sk: { N: '1' } }], {}],
    ['an invalid projection', [key('a')], { ProjectionExpression: 'a b' }],
    ['names without a projection', [key('a')], { ExpressionAttributeNames: { '#a': 'a' } }],
    [
      'an unused name',
      [key('a')],
      { ProjectionExpression: 'a', ExpressionAttributeNames: { '#a': 'a' } },
    ],
  ])('rejects a request with %s', async (_, keys, others) => {
    await expect(read(keys, others)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('statements of the DynamoDB endpoint', () => {
  const execute = (Statement: string, ...Parameters: Item[string][]) =>
    client.send(
      new ExecuteStatementCommand({ Statement, ...(Parameters.length > 0 && { Parameters }) }),
    );
  const where = `WHERE pk = 'a' AND sk = 'STATUS'`;

  it('can be executed individually', async () => {
    await execute(`INSERT INTO "${TableName}" VALUE {'pk': 'a', 'sk': ?, 'n': 1}`, { S: 'STATUS' });
    await expect(
      execute(`INSERT INTO "${TableName}" VALUE {'pk': 'a', 'sk': 'STATUS'}`),
    ).rejects.toMatchObject({ name: 'DuplicateItemException' });
    await execute(`UPDATE "${TableName}" SET n = 2, t = 'it''s' ${where} AND n < 2`);
    await expect(
      execute(`UPDATE "${TableName}" SET n = 3 ${where} AND n < 2`),
    ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
    const item = { ...key('a'), n: { N: '2' }, t: { S: "it's" } };
    expect((await execute(`SELECT * FROM "${TableName}" ${where}`)).Items).toEqual([item]);
    expect((await execute(`SELECT n FROM "${TableName}" ${where}`)).Items).toEqual([
      { n: { N: '2' } },
    ]);
    expect((await execute(`SELECT * FROM "${TableName}" ${where} AND n > 2`)).Items).toEqual([]);
    await execute(`DELETE FROM "${TableName}" ${where}`);
    expect(await get(key('a'))).toBeUndefined();
  });

  it('can select members of documents, and return each member under its own name', async () => {
    const city = { S: 'Berlin' };
    const address = { M: { city, country: { M: { code: { S: 'DE' } } } } };
    await write(put({ ...key('a'), address }));
    const paths = 'address.city, address."country".code, address.missing.name, sk';
    expect((await execute(`SELECT ${paths} FROM "${TableName}" ${where}`)).Items).toEqual([
      { city, code: { S: 'DE' }, sk: { S: 'STATUS' } },
    ]);
  });

  it.each([
    ['an update of a key', (table: string) => `UPDATE "${table}" SET pk = 'b' ${where}`],
    ['an index key of another type', (table: string) => `UPDATE "${table}" SET part = 1 ${where}`],
    [
      'a condition without the sort key',
      (table: string) => `SELECT * FROM "${table}" WHERE pk = 'a'`,
    ],
    [
      'two values of an attribute',
      (table: string) => `UPDATE "${table}" SET n = 1, n = 2 ${where}`,
    ],
    ['too few parameters', (table: string) => `SELECT * FROM "${table}" WHERE pk = ? AND sk = ?`],
    ['a SELECT without a condition', (table: string) => `SELECT * FROM "${table}"`],
  ])('are rejected for %s', async (_, statementOf) => {
    await expect(execute(statementOf(TableName))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  it('are rejected if an item would exceed 400 KB', async () => {
    await write(put(key('a')));
    const half = { S: 'x'.repeat(210 * 1024) };
    await execute(`UPDATE "${TableName}" SET a = ? ${where}`, half);
    await expect(execute(`UPDATE "${TableName}" SET b = ? ${where}`, half)).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  it('are all rejected if a value in their batch is invalid', async () => {
    const insert = { Statement: `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'n': ?}` };
    const Statements = ['1', 'one'].map((n) => ({
      ...insert,
      Parameters: [...Object.values(key(`a${n}`)), { N: n }],
    }));
    const batch = client.send(new BatchExecuteStatementCommand({ Statements }));
    await expect(batch).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await get(key('a1'))).toBeUndefined();
  });

  it('can read several items in a batch', async () => {
    await write(put(key('a')), put(key('b')));
    const Statements = ['b', 'missing', 'a'].map((pk) => ({
      Statement: `SELECT * FROM "${TableName}" WHERE pk = '${pk}' AND sk = 'STATUS'`,
    }));
    const { Responses } = await client.send(new BatchExecuteStatementCommand({ Statements }));
    expect(Responses).toEqual([
      { TableName, Item: key('b') },
      { TableName },
      { TableName, Item: key('a') },
    ]);
  });
});

it('the DynamoDB endpoint remains available after many concurrent requests of the maximum size', async () => {
  const keys = Array.from({ length: 100 }, (_, n) => key('large', `${n}`.padStart(3, '0')));
  const value = { S: 'x'.repeat(390 * 1024) };
  const batches = [0, 25, 50, 75].map((n) =>
    keys.slice(n, n + 25).map((each) => put({ ...each, value })),
  );
  await Promise.all(batches.map((batch) => write(...batch)));
  const read = () =>
    client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys } } }));
  const query = () =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'large' } },
      }),
    );
  await Promise.all([...Array.from({ length: 2 }, read), ...Array.from({ length: 24 }, query)]);
  expect(await get(keys[0]!)).toEqual({ ...keys[0], value });
});
