import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Store } from 'dynalite/db/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpiredTokens } from '../../../../src/aws-local/dynamodb/transactions/idempotent-request.ts';
import { type Endpoint, startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { createTable, type Item, key } from '../../endpoints/dynamodb-table.ts';
import { dynamoDbOf, kill, running, sendJson, temporaryFolder } from '../../endpoints/support.ts';
import { canceled, openDatabase, operationsOf } from './support.ts';

const TableName = 'counters';
const increment = (pk: string) => ({
  Update: {
    TableName,
    Key: key(pk),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  },
});

describe('a ClientRequestToken', () => {
  let endpoint: Endpoint;
  let client: DynamoDBClient;
  let operations: ReturnType<typeof operationsOf>;
  beforeAll(async () => {
    endpoint = await startDynamoDb({ port: 0, dataFolder: null });
    client = dynamoDbOf(endpoint);
    operations = operationsOf(client);
    await createTable(client, TableName);
  });
  afterAll(() => endpoint.close());

  const count = async (pk: string) => (await operations.get(TableName, key(pk)))?.['n']?.N;

  it('makes a repeated request succeed without effect and consume the capacity of a read', async () => {
    const settings = { ClientRequestToken: 'repeated', ReturnConsumedCapacity: 'TOTAL' as const };
    const first = await operations.transact([increment('a')], settings);
    const second = await operations.transact([increment('a')], settings);
    expect(await count('a')).toBe('1');
    const capacity = { TableName, CapacityUnits: 2 };
    expect(first.ConsumedCapacity).toEqual([{ ...capacity, WriteCapacityUnits: 2 }]);
    expect(second.ConsumedCapacity).toEqual([{ ...capacity, ReadCapacityUnits: 2 }]);
  });

  it('is recognized even if the members of the repeated request are in a different order', async () => {
    const send = (action: object) =>
      sendJson(
        endpoint,
        'DynamoDB_20120810.TransactWriteItems',
        JSON.stringify({ ClientRequestToken: 'ordered', TransactItems: [action] }),
      );
    const { Update } = increment('ordered');
    const reversed = Object.fromEntries(Object.entries(Update).toReversed());
    expect(await send({ Update })).toMatchObject({ status: 200 });
    expect(await send({ Update: reversed })).toMatchObject({ status: 200 });
    expect(await count('ordered')).toBe('1');
  });

  it('executes only one of many concurrent requests', async () => {
    const send = () =>
      operations.transact([increment('concurrent')], { ClientRequestToken: 'concurrent' });
    await Promise.all(Array.from({ length: 20 }, send));
    expect(await count('concurrent')).toBe('1');
  });

  it('cannot be used for a different request', async () => {
    const settings = { ClientRequestToken: 'used' };
    await operations.transact([increment('b')], settings);
    await expect(operations.transact([increment('c')], settings)).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
      message:
        'Specified idempotent token was used with different request parameters within the idempotency window',
    });
    expect(await count('c')).toBeUndefined();
  });

  it('can be used again if the transaction was canceled', async () => {
    const settings = { ClientRequestToken: 'canceled' };
    const conditional = {
      Update: { ...increment('d').Update, ConditionExpression: 'attribute_exists(pk)' },
    };
    await canceled(operations.transact([conditional], settings));
    await client.send(new PutItemCommand({ TableName, Item: key('d') }));
    await operations.transact([conditional], settings);
    expect(await count('d')).toBe('1');
  });

  it('must have 1 to 36 characters', async () => {
    for (const ClientRequestToken of ['', 'x'.repeat(37)])
      await expect(
        operations.transact([increment('e')], { ClientRequestToken }),
      ).rejects.toMatchObject({ name: 'ValidationException' });
    await operations.transact([increment('e')], { ClientRequestToken: 'x'.repeat(36) });
  });
});

it('a ClientRequestToken is still valid after kill -9', async () => {
  const dataFolder = await temporaryFolder();
  const before = await startDynamoDb({ port: 0, dataFolder });
  await createTable(dynamoDbOf(before), TableName);
  const settings = { ClientRequestToken: 'survivor' };
  await operationsOf(dynamoDbOf(before)).transact([increment('a')], settings);
  await kill(before);
  const { transact, get } = operationsOf(
    dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder }))),
  );
  await transact([increment('a')], settings);
  expect(await get(TableName, key('a'))).toMatchObject({ n: { N: '1' } });
});

it('a ClientRequestToken lets only the first of two concurrent requests with different actions succeed', async () => {
  const { send } = await openDatabase(TableName);
  const put = (pk: string) =>
    send('TransactWriteItems', {
      ClientRequestToken: 'token',
      TransactItems: [{ Put: { TableName, Item: { pk: { S: pk } } } }],
    });
  const [first, second] = await Promise.allSettled([put('a'), put('b')]);
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(second).toMatchObject({ reason: { type: 'IdempotentParameterMismatchException' } });
});

describe('ten minutes after a request', () => {
  async function setUp() {
    const { store, clock, send } = await openDatabase(TableName);
    const Key = { pk: { S: 'a' } };
    return {
      store,
      clock,
      send: () =>
        send('TransactWriteItems', {
          ClientRequestToken: 'token',
          TransactItems: [{ Update: { ...increment('a').Update, Key } }],
        }),
      count: async () => {
        const { Item } = (await send('GetItem', { TableName, Key })) as { Item: Item };
        return Item['n']?.N;
      },
    };
  }

  const tokensOf = ({ db }: Store) => db.iterator({ gte: 'token~', lt: 'token~~' }).all();

  it('its token is no longer valid', async () => {
    const { clock, send, count } = await setUp();
    // Begin shortly before a ten-minute period ends, because the tokens of each period are stored together.
    await clock.advance(9 * 60_000);
    await send();
    await clock.advance(10 * 60_000 - 1);
    await send();
    expect(await count()).toBe('1');
    await clock.advance(1);
    await send();
    expect(await count()).toBe('2');
  });

  it('its token is kept for at most another ten minutes', async () => {
    const { clock, store, send } = await setUp();
    await send();
    await clock.advance(10 * 60_000 - 1);
    await deleteExpiredTokens(store, clock.now());
    expect(await tokensOf(store)).toHaveLength(1);
    await clock.advance(10 * 60_000 + 1);
    await deleteExpiredTokens(store, clock.now());
    expect(await tokensOf(store)).toHaveLength(0);
  });
});
