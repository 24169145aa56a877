import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  ListBackupsCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import db from 'dynalite/db/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { createTable, type Item, key } from './dynamodb-table.ts';
import { dynamoDbOf, kill, running, temporaryFolder } from './support.ts';

async function putIfNone(client: DynamoDBClient, TableName: string, Item: Item): Promise<boolean> {
  try {
    const ConditionExpression = 'attribute_not_exists(pk)';
    await client.send(new PutItemCommand({ TableName, Item, ConditionExpression }));
    return true;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

async function get(client: DynamoDBClient, TableName: string, Key: Item) {
  return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
}

/** Reads all items of a query, page by page. */
async function latest(client: DynamoDBClient, TableName: string, part: string, Limit = 7) {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'latest',
        KeyConditionExpression: 'part = :part',
        ExpressionAttributeValues: { ':part': { S: part } },
        ScanIndexForward: false,
        Limit,
        ExclusiveStartKey: from,
      }),
    );
    expect(page.Items?.length).toBeLessThanOrEqual(Limit);
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

describe('the DynamoDB endpoint', () => {
  let endpoint: Endpoint;
  let client: DynamoDBClient;
  let TableName = 'table-0';

  beforeAll(async () => {
    endpoint = await startDynamoDb({ port: 0, dataFolder: null });
    client = dynamoDbOf(endpoint);
  });
  afterAll(() => endpoint.close());
  beforeEach(async () => {
    TableName = `table-${Number(TableName.slice(6)) + 1}`;
    await createTable(client, TableName);
  });

  it('lets exactly one of 64 concurrent conditional puts succeed', async () => {
    const writers = Array.from({ length: 64 }, (_, n) => ({ ...key('a'), by: { S: `${n}` } }));
    const won = await Promise.all(writers.map((item) => putIfNone(client, TableName, item)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await get(client, TableName, key('a'))).toEqual(writers[won.indexOf(true)]);
  });

  it('updates an item only if the condition holds', async () => {
    const update = (version: string) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: key('a'),
          UpdateExpression: 'SET version = :version',
          ConditionExpression: 'attribute_not_exists(version) OR version < :version',
          ExpressionAttributeValues: { ':version': { N: version } },
        }),
      );
    await update('9');
    await update('10');
    await expect(update('10')).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(await get(client, TableName, key('a'))).toMatchObject({ version: { N: '10' } });
  });

  it('queries the newest item of an item collection', async () => {
    for (const n of ['08', '10', '09']) {
      await client.send(new PutItemCommand({ TableName, Item: key('a', `COMMIT#${n}`) }));
    }
    await client.send(new PutItemCommand({ TableName, Item: key('a', 'STATUS') }));
    const { Items } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
        ExpressionAttributeValues: { ':pk': { S: 'a' }, ':sk': { S: 'COMMIT#' } },
        ScanIndexForward: false,
        Limit: 1,
        ConsistentRead: true,
      }),
    );
    expect(Items).toEqual([key('a', 'COMMIT#10')]);
  });

  it('returns each index partition in order and without gaps after updates and deletes, page by page', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `i${n}`);
    const expected = new Map<string, { part: string; since: string }>();
    for (let round = 0; round < 3; round += 1) {
      const moves = ids.map((id, n) => {
        const part = `part-${(n + round) % 3}`;
        // Consecutive pairs of items have the same time so that some pages end between equal sort keys.
        const since = `2026-01-01T00:00:${String((n * 7 + round * 5) % 20).padStart(2, '0')}Z`;
        expected.set(id, { part, since });
        return client.send(
          new UpdateItemCommand({
            TableName,
            Key: key(id),
            UpdateExpression: 'SET part = :part, since = :since',
            ExpressionAttributeValues: { ':part': { S: part }, ':since': { S: since } },
          }),
        );
      });
      await Promise.all(moves);
    }
    for (const id of ids.slice(0, 5)) {
      await client.send(new DeleteItemCommand({ TableName, Key: key(id) }));
      expected.delete(id);
    }

    for (const part of ['part-0', 'part-1', 'part-2']) {
      const rows = await latest(client, TableName, part);
      const since = rows.map((row) => row['since']?.S ?? '');
      expect(since).toEqual(since.toSorted().toReversed());
      const here = [...expected].filter(([, row]) => row.part === part).map(([id]) => id);
      expect(rows.map((row) => row['pk']?.S ?? '').toSorted()).toEqual(here.toSorted());
    }
  });

  it('reads and writes items in batches', async () => {
    const items = Array.from({ length: 100 }, (_, n) => ({ ...key(`b${n}`), n: { N: `${n}` } }));
    for (let n = 0; n < 100; n += 25) {
      const requests = items.slice(n, n + 25).map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    }
    const Keys = [...items.map(({ pk, sk }) => ({ pk, sk })).slice(1), key('missing')];
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
    );
    expect(UnprocessedKeys).toEqual({});
    expect(Responses?.[TableName]).toHaveLength(99);
    expect(Responses?.[TableName]).toEqual(expect.arrayContaining(items.slice(1)));
    expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(100);
  });

  it('executes each statement of a batch independently', async () => {
    await client.send(new PutItemCommand({ TableName, Item: { ...key('b'), n: { N: '9' } } }));
    await client.send(new PutItemCommand({ TableName, Item: { ...key('d'), n: { N: '9' } } }));
    await client.send(new PutItemCommand({ TableName, Item: key('e') }));
    const insert = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?, 'part': ?, 'since': ?}`;
    const update = `UPDATE "${TableName}" SET n = ? SET "s" = ? REMOVE part WHERE pk = ? AND sk = ? AND n < ?`;
    const updateTo = (n: string, pk: string) => ({
      Statement: update,
      Parameters: [{ N: n }, { S: 's' }, { S: pk }, { S: 'STATUS' }, { N: n }],
    });
    const { Responses } = await client.send(
      new BatchExecuteStatementCommand({
        Statements: [
          { Statement: insert, Parameters: [...Object.values(key('a')), { S: 'p' }, { S: '1' }] },
          { Statement: insert, Parameters: [...Object.values(key('e')), { S: 'p' }, { S: '1' }] },
          updateTo('10', 'b'),
          updateTo('9', 'd'),
          updateTo('1', 'missing'),
          {
            Statement: insert,
            Parameters: [...Object.values(key('c', '')), { S: 'p' }, { S: '' }],
          },
          { Statement: `SELECT * FROM "${TableName}"` },
          { Statement: insert.replace(TableName, 'no-such-table'), Parameters: [{ S: 'a' }] },
        ],
      }),
    );
    expect(Responses?.map(({ Error: error }) => error?.Code)).toEqual([
      undefined,
      'DuplicateItem',
      undefined,
      'ConditionalCheckFailed',
      'ConditionalCheckFailed',
      'ValidationError',
      'ValidationError',
      'ResourceNotFound',
    ]);
    expect(await get(client, TableName, key('b'))).toEqual({
      ...key('b'),
      ...{ n: { N: '10' }, s: { S: 's' } },
    });
    expect(await get(client, TableName, key('missing'))).toBeUndefined();
    expect((await latest(client, TableName, 'p')).map((row) => row['pk']?.S)).toEqual(['a']);
  });

  it('deletes items in a batch of statements and ignores missing items', async () => {
    const items = ['f', 'g'].map((pk) => ({ ...key(pk), part: { S: 'q' }, since: { S: pk } }));
    for (const Item of items) await client.send(new PutItemCommand({ TableName, Item }));
    const deletion = (pk: string) => ({
      Statement: `DELETE FROM "${TableName}" WHERE "pk" = ? AND "sk" = ?`,
      Parameters: Object.values(key(pk)),
    });
    const byValue = {
      Statement: `DELETE FROM "${TableName}" WHERE "pk" = ? AND "sk" = ? AND "part" = ?`,
      Parameters: [...Object.values(key('g')), { S: 'q' }],
    };
    const { Responses } = await client.send(
      new BatchExecuteStatementCommand({
        Statements: [deletion('f'), deletion('missing'), byValue],
      }),
    );
    expect(Responses?.map(({ Error: error }) => error?.Code)).toEqual([
      undefined,
      undefined,
      'ValidationError',
    ]);
    expect(await get(client, TableName, key('f'))).toBeUndefined();
    expect((await latest(client, TableName, 'q')).map((row) => row['pk']?.S)).toEqual(['g']);
  });

  it.each([
    ['without statements', []],
    ['of more than 25 statements', Array.from({ length: 26 }, (_, n) => `${n}`)],
    ['that writes an item twice', ['a', 'b', 'a']],
  ])('rejects a batch %s', async (_, keys) => {
    const Statement = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?}`;
    const Statements = keys.map((pk) => ({ Statement, Parameters: Object.values(key(pk)) }));
    await expect(
      client.send(new BatchExecuteStatementCommand({ Statements })),
    ).rejects.toMatchObject({ name: 'ValidationException' });
    expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(0);
  });

  it('lets exactly one of 64 concurrent inserts succeed', async () => {
    const Statement = `INSERT INTO "${TableName}" VALUE {'pk': ?, 'sk': ?}`;
    const Statements = [{ Statement, Parameters: Object.values(key('a')) }];
    const answers = await Promise.all(
      Array.from({ length: 64 }, () =>
        client.send(new BatchExecuteStatementCommand({ Statements })),
      ),
    );
    const responses = answers.flatMap((answer) => answer.Responses ?? []);
    expect(responses.filter((response) => response.Error === undefined)).toHaveLength(1);
  });

  it.each<[string, AttributeValue]>([
    ['a number of 38 digits', { N: '12345678901234567890123456789012345678' }],
    ['a small fraction', { N: '0.0000000000000000000000000000000012345' }],
    ['bytes of every value', { B: Uint8Array.from({ length: 256 }, (_, n) => n) }],
    ['an empty string', { S: '' }],
    ['a binary value of zero bytes', { B: new Uint8Array() }],
    ['text with special characters', { S: 'Zoë 😀 \u0000 "quoted" \\ \u2028' }],
    ['a nested document', { M: { l: { L: [{ BOOL: false }, { NULL: true }, { M: {} }] } } }],
    ['a set of strings', { SS: ['a', 'b'] }],
    ['a string of 390 KB', { S: 'x'.repeat(390 * 1024) }],
  ])('stores %s unchanged', async (_, value) => {
    const item = { ...key('a'), value };
    await client.send(new PutItemCommand({ TableName, Item: item }));
    expect(await get(client, TableName, key('a'))).toEqual(item);
  });

  it('rejects an item over 400 KB and an empty key', async () => {
    const large = { ...key('a'), value: { S: 'x'.repeat(400 * 1024) } };
    for (const Item of [large, key('')]) {
      await expect(client.send(new PutItemCommand({ TableName, Item }))).rejects.toMatchObject({
        name: 'ValidationException',
      });
    }
  });
});

describe('an operation that the DynamoDB endpoint does not support', () => {
  it('is rejected with an explanation', async () => {
    const client = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder: null })));
    const refused = client.send(new ListBackupsCommand({}));
    await expect(refused).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: expect.stringMatching(
        /^The local DynamoDB endpoint does not support ListBackups\. It supports GetItem,/,
      ),
    });
  });
});

describe('the DynamoDB endpoint on disk', () => {
  it('keeps acknowledged writes after a restart', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startDynamoDb({ port: 0, dataFolder });
    await createTable(dynamoDbOf(before), 'table');
    const item = { ...key('a'), part: { S: 'p' }, since: { S: '1' } };
    await dynamoDbOf(before).send(new PutItemCommand({ TableName: 'table', Item: item }));
    await before.close();

    const client = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder })));
    expect(await get(client, 'table', key('a'))).toEqual(item);
    expect(await latest(client, 'table', 'p')).toEqual([item]);
  });

  it('keeps acknowledged writes and consistent indexes after kill -9', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startDynamoDb({ port: 0, dataFolder });
    const client = dynamoDbOf(before);
    await createTable(client, 'table');
    const acknowledged = new Map<string, string>();
    const winners: string[] = [];
    // Pairs of writers compete for the same keys.
    const writer = async (number: number) => {
      for (let n = 0; ; n += 1) {
        const pk = `${number >> 1}-${n}`;
        const by = `writer ${number}`;
        if (await putIfNone(client, 'table', { ...key(pk), by: { S: by } })) {
          winners.push(pk);
          acknowledged.set(pk, by);
        }
      }
    };
    const mover = async (number: number) => {
      for (let n = 0; ; n += 1) {
        const place = { part: { S: `p${n % 2}` }, since: { S: `${number} ${n}` } };
        const Item = { ...key(`mover-${number}`), ...place };
        await client.send(new PutItemCommand({ TableName: 'table', Item }));
      }
    };
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    const lanes = Promise.allSettled(numbers.map((n) => (n < 8 ? writer(n) : mover(n))));
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(100), 10_000);
    await kill(before);
    await lanes;
    expect(winners).toEqual([...new Set(winners)]);

    const again = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder })));
    const { Items = [] } = await again.send(new ScanCommand({ TableName: 'table' }));
    const kept = new Map(Items.map((item) => [item['pk']?.S, item['by']?.S]));
    for (const [pk, by] of acknowledged) expect(kept.get(pk)).toBe(by);
    for (const part of ['p0', 'p1']) {
      const wanted = Items.filter((item) => item['part']?.S === part);
      const found = await latest(again, 'table', part);
      expect(found).toHaveLength(wanted.length);
      expect(found).toEqual(expect.arrayContaining(wanted));
    }
  });

  it('completes the creation of a table that a kill interrupted', async () => {
    const dataFolder = await temporaryFolder();
    const before = await startDynamoDb({ port: 0, dataFolder });
    await createTable(dynamoDbOf(before), 'table');
    await before.close();
    const store = db.create({ path: `${dataFolder}/dynamodb` });
    const { promise, resolve } = Promise.withResolvers();
    store.getTable('table', (_, table) => {
      store.tableDb.put('table', { ...table, TableStatus: 'CREATING' }, resolve);
    });
    await promise;
    await store.db.close();

    const client = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder })));
    await client.send(new PutItemCommand({ TableName: 'table', Item: key('a') }));
    expect(await get(client, 'table', key('a'))).toEqual(key('a'));
  });
});
