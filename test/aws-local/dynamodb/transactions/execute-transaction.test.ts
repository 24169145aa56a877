import {
  type AttributeValue,
  type DynamoDBClient,
  ExecuteTransactionCommand,
  type ParameterizedStatement,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../../src/aws-local/endpoints/index.ts';
import { createTable, type Item, key } from '../../endpoints/dynamodb-table.ts';
import { dynamoDbOf } from '../../endpoints/support.ts';
import { canceled, operationsOf } from './support.ts';

let endpoint: Endpoint;
let client: DynamoDBClient;
let TableName = 'statements-0';

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  client = dynamoDbOf(endpoint);
});
afterAll(() => endpoint.close());
beforeEach(async () => {
  TableName = `statements-${Number(TableName.slice(11)) + 1}`;
  await createTable(client, TableName);
});

const execute = (TransactStatements: ParameterizedStatement[], settings = {}) =>
  client.send(new ExecuteTransactionCommand({ TransactStatements, ...settings }));
const get = (Key: Item) => operationsOf(client).get(TableName, Key);
const save = (Item: Item) => client.send(new PutItemCommand({ TableName, Item }));
const statement = (Statement: string, ...Parameters: AttributeValue[]) => ({
  Statement: Statement.replace('TABLE', `"${TableName}"`),
  ...(Parameters.length > 0 && { Parameters }),
});
const insert = (pk: string) =>
  statement(`INSERT INTO TABLE VALUE {'pk': ?, 'sk': 'STATUS', 'n': 1}`, { S: pk });
const where = (pk: string) => `WHERE pk = '${pk}' AND sk = 'STATUS'`;

describe('ExecuteTransaction', () => {
  it('inserts, updates, and deletes items together', async () => {
    for (const pk of ['updated', 'deleted'])
      await save({ ...key(pk), n: { N: '1' }, part: { S: 'old' }, since: { S: '1' } });
    const { Responses } = await execute([
      insert('new'),
      statement(`UPDATE TABLE SET n = 2, part = ? ${where('updated')} AND n < 2`, { S: 'new' }),
      statement(`DELETE FROM TABLE ${where('deleted')}`),
    ]);
    expect(Responses).toEqual([{}, {}, {}]);
    expect(await get(key('new'))).toMatchObject({ n: { N: '1' } });
    expect(await get(key('updated'))).toMatchObject({ n: { N: '2' } });
    expect(await get(key('deleted'))).toBeUndefined();
    const { indexed } = operationsOf(client);
    expect(await indexed(TableName, 'old')).toEqual([]);
    expect(await indexed(TableName, 'new')).toHaveLength(1);
  });

  it('reads items together', async () => {
    await save({ ...key('a'), n: { N: '1' } });
    const { Responses, ConsumedCapacity } = await execute(
      [
        statement(`SELECT * FROM TABLE ${where('a')}`),
        statement(`SELECT n FROM TABLE ${where('missing')}`),
      ],
      { ReturnConsumedCapacity: 'TOTAL' },
    );
    expect(Responses).toEqual([{ Item: { ...key('a'), n: { N: '1' } } }, {}]);
    expect(ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }]);
  });

  it('writes nothing if a statement fails, and returns the reason of each statement', async () => {
    const old = { ...key('old'), n: { N: '5' } };
    await save(old);
    const { message, reasons } = await canceled(
      execute([
        insert('new'),
        {
          ...statement(`UPDATE TABLE SET n = 1 ${where('old')} AND n < 2`),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
        statement(`UPDATE TABLE SET n = 1 ${where('missing')}`),
      ]),
    );
    expect(message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed]',
    );
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    expect(reasons).toEqual([{ Code: 'None' }, { ...failed, Item: old }, failed]);
    expect(await get(key('new'))).toBeUndefined();
  });

  it('is canceled if an item that it inserts already exists', async () => {
    await save(key('old'));
    const { reasons } = await canceled(execute([insert('new'), insert('old')]));
    expect(reasons).toEqual([
      { Code: 'None' },
      { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' },
    ]);
    expect(await get(key('new'))).toBeUndefined();
  });

  it('is canceled if a statement does not contain the key', async () => {
    const { reasons } = await canceled(
      execute([insert('new'), statement(`UPDATE TABLE SET n = 1 WHERE pk = 'a'`)]),
    );
    expect(reasons?.map(({ Code }) => Code)).toEqual(['None', 'ValidationError']);
  });

  it('has no effect if it is repeated with the same ClientRequestToken', async () => {
    const settings = { ClientRequestToken: 'statements' };
    expect(await execute([insert('a')], settings)).toMatchObject({ Responses: [{}] });
    expect(await execute([insert('a')], settings)).toMatchObject({ Responses: [{}] });
    await expect(execute([insert('b')], settings)).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
  });

  it('accepts 100 statements', async () => {
    const { Responses } = await execute(Array.from({ length: 100 }, (_, n) => insert(`${n}`)));
    expect(Responses).toHaveLength(100);
  });

  it.each<[string, () => ParameterizedStatement[], string]>([
    ['no statement', () => [], 'Member must have length greater than or equal to 1'],
    [
      'more than 100 statements',
      () => Array.from({ length: 101 }, (_, n) => insert(`${n}`)),
      'Member must have length less than or equal to 100',
    ],
    [
      'reads and writes',
      () => [insert('a'), statement(`SELECT * FROM TABLE ${where('b')}`)],
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    ],
    [
      'two statements for one item',
      () => [insert('a'), statement(`DELETE FROM TABLE ${where('a')}`)],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'a statement that the endpoint does not support',
      () => [insert('a'), statement('DELETE FROM TABLE')],
      'Not supported by the local endpoint: DELETE FROM',
    ],
    [
      'an invalid value',
      () => [statement(`INSERT INTO TABLE VALUE {'pk': 'a', 'sk': 's', 'n': ?}`, { N: 'one' })],
      'The parameter cannot be converted to a numeric value: one',
    ],
    [
      'values of more than 4 MB',
      () =>
        Array.from({ length: 11 }, (_, n) =>
          statement(
            `INSERT INTO TABLE VALUE {'pk': '${n}', 'sk': 's', 'v': ?}`,
            ...[{ S: 'x'.repeat(390 * 1024) }],
          ),
        ),
      'Transaction payload size cannot exceed 4MB.',
    ],
  ])('rejects a request with %s', async (_, statements, message) => {
    await expect(execute(statements())).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message),
    });
    expect(await get(key('a'))).toBeUndefined();
  });

  it('rejects a request for a table that does not exist', async () => {
    const Statement = `INSERT INTO "missing" VALUE {'pk': 'a'}`;
    await expect(execute([insert('a'), { Statement }])).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
