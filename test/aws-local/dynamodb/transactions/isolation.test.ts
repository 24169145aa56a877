import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DynamoDBClient,
  PutItemCommand,
  TransactGetItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { Chance } from '../../../../src/common/chance.ts';
import { createTable, key } from '../../endpoints/dynamodb-table.ts';
import { dynamoDbOf, running, temporaryFolder } from '../../endpoints/support.ts';
import { canceled, openDatabase, operationsOf } from './support.ts';

const tables = ['checking', 'savings'];
const accounts = tables.flatMap((TableName) =>
  ['a', 'b', 'c'].map((pk) => ({ TableName, Key: key(pk) })),
);
const initialBalance = 100;
const total = accounts.length * initialBalance;

/**
 * Adds an amount, which can be negative, to the balance of an account, on the condition that the balance does not
 * become negative.
 */
const deposit = (account: (typeof accounts)[number], amount: number) => ({
  Update: {
    ...account,
    UpdateExpression: 'SET balance = balance + :amount',
    ConditionExpression: 'balance >= :least',
    ExpressionAttributeValues: { ':amount': { N: `${amount}` }, ':least': { N: `${-amount}` } },
  },
});

/** Reads all accounts in one transaction. */
async function readAccounts(client: DynamoDBClient) {
  const TransactItems = accounts.map((Get) => ({ Get }));
  const { Responses } = await client.send(new TransactGetItemsCommand({ TransactItems }));
  const numbersOf = (attribute: string) =>
    Responses!.map(({ Item }) => Number(Item?.[attribute]?.N ?? 0));
  return { balances: numbersOf('balance'), visits: numbersOf('visits') };
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

describe('concurrent transfers between accounts of two tables', () => {
  it.each([1, 2, 3])(
    'keep the sum of the balances constant in every transactional read, and lose no concurrent update (seed %i)',
    async (seed) => {
      const dataFolder = await temporaryFolder();
      const client = dynamoDbOf(await running(startDynamoDb({ port: 0, dataFolder })));
      for (const table of tables) await createTable(client, table);
      for (const { TableName, Key } of accounts) {
        const Item = { ...Key, balance: { N: `${initialBalance}` } };
        await client.send(new PutItemCommand({ TableName, Item }));
      }
      const { transact } = operationsOf(client);
      let transfers = 0;
      const transfer = async (chance: Chance) => {
        const from = chance.pick(accounts);
        const to = chance.pick(accounts.filter((account) => account !== from));
        const amount = chance.whole(1, 150);
        const moved = transact([deposit(from, -amount), deposit(to, amount)]);
        // If the balance is too low, the condition must cancel the transfer.
        const isDone = await moved.then(
          () => true,
          async () => {
            const { reasons } = await canceled(moved);
            expect(reasons?.map(({ Code }) => Code)).toEqual(['ConditionalCheckFailed', 'None']);
            return false;
          },
        );
        if (isDone) transfers += 1;
      };
      const visit = (chance: Chance) =>
        client.send(
          new UpdateItemCommand({
            ...chance.pick(accounts),
            UpdateExpression: 'ADD visits :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          }),
        );
      const lanes = Array.from({ length: 12 }, async (_, lane) => {
        const chance = new Chance(100 * seed + lane);
        for (let n = 0; n < 25; n += 1) {
          await transfer(chance);
          await visit(chance);
          const { balances } = await readAccounts(client);
          expect(sum(balances)).toBe(total);
          expect(Math.min(...balances)).toBeGreaterThanOrEqual(0);
        }
      });
      await Promise.all(lanes);
      const { balances, visits } = await readAccounts(client);
      expect({ balances: sum(balances), visits: sum(visits) }).toEqual({
        balances: total,
        visits: 12 * 25,
      });
      // Most of the transfers must succeed.
      expect(transfers).toBeGreaterThan(100);
    },
  );
});

describe('while a transaction is being written', () => {
  const TableName = 'table';
  const itemOf = (pk: string, n: string) => ({ pk: { S: pk }, n: { N: n } });
  const puts = (n: string) => ['a', 'b'].map((pk) => ({ Put: { TableName, Item: itemOf(pk, n) } }));
  const gets = ['b', 'a'].map((pk) => ({ Get: { TableName, Key: { pk: { S: pk } } } }));

  /** Starts a transaction whose write completes only when the test calls `release`. */
  async function setUp() {
    const { store, send } = await openDatabase(TableName);
    await send('TransactWriteItems', { TransactItems: puts('1') });
    const { batch } = store.db;
    const { promise: isWriting, resolve } = Promise.withResolvers<() => void>();
    store.db.batch = (operations, done) => {
      store.db.batch = batch;
      resolve(() => batch(operations, done));
    };
    const written = send('TransactWriteItems', { TransactItems: puts('2') });
    return { send, written, release: await isWriting };
  }

  /** Resolves with true if a request completes without waiting for the held write. */
  async function isDone(request: Promise<object>): Promise<boolean> {
    let done = false;
    void request.then(() => (done = true));
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    return done;
  }

  it('a transactional read of its items waits and returns all changes', async () => {
    const { send, written, release } = await setUp();
    const read = send('TransactGetItems', { TransactItems: gets });
    expect(await isDone(read)).toBe(false);
    release();
    await written;
    expect(await read).toEqual({
      Responses: ['b', 'a'].map((pk) => ({ Item: itemOf(pk, '2') })),
    });
  });

  it.each<[string, object]>([
    [
      'UpdateItem',
      {
        TableName,
        Key: { pk: { S: 'b' } },
        UpdateExpression: 'SET n = n + :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    ],
    [
      'BatchWriteItem',
      { RequestItems: { [TableName]: [{ PutRequest: { Item: itemOf('b', '3') } }] } },
    ],
    [
      'BatchExecuteStatement',
      { Statements: [{ Statement: `UPDATE "${TableName}" SET n = 3 WHERE pk = 'b'` }] },
    ],
  ])('%s of one of its items waits', async (name, request) => {
    const { send, written, release } = await setUp();
    const other = send(name, request);
    expect(await isDone(other)).toBe(false);
    release();
    await Promise.all([written, other]);
    const item = await send('GetItem', { TableName, Key: { pk: { S: 'b' } } });
    expect(item).toEqual({ Item: itemOf('b', '3') });
  });

  it('GetItem returns the previous item, and writes of other items continue', async () => {
    const { send, written, release } = await setUp();
    const item = await send('GetItem', { TableName, Key: { pk: { S: 'a' } } });
    expect(item).toEqual({ Item: itemOf('a', '1') });
    await send('PutItem', { TableName, Item: itemOf('c', '1') });
    release();
    await written;
  });
});
