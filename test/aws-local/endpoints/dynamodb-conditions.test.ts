import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { createTable, key } from './dynamodb-table.ts';
import { dynamoDbOf, sendJson } from './support.ts';

let endpoint: Endpoint;
const TableName = 'conditions';

const Item = {
  ...key('a'),
  ...{ n: { N: '5' }, s: { S: 'five' }, e1: { S: '' }, b: { B: 'YWI=' }, yes: { BOOL: true } },
  ...{ ss: { SS: ['a', 'b'] }, l: { L: [{ N: '1' }, { M: { a: { S: 'b' } } }] } },
  m: { M: { a: { L: [{ SS: ['x', 'y'] }] }, c1: { S: 'c' } } },
};
const values = {
  ...{
    ':0': { N: '0' },
    ':1': { N: '1' },
    ':4': { N: '4' },
    ':9': { N: '9' },
    ':b': { B: 'YQ==' },
  },
  ...{ ':fi': { S: 'fi' }, ':a': { S: 'a' }, ':yes': { BOOL: true }, ':type': { S: 'SS' } },
  ...{ ':ss': { SS: ['b', 'a'] }, ':l': Item.l, ':element': { M: { a: { S: 'b' } } } },
  ':m': { M: { c1: { S: 'c' }, a: { L: [{ SS: ['y', 'x'] }] } } },
};

beforeAll(async () => {
  endpoint = await startDynamoDb({ port: 0, dataFolder: null });
  await createTable(dynamoDbOf(endpoint), TableName);
  await send('PutItem', { TableName, Item });
});
afterAll(() => endpoint.close());

const send = async (operation: string, request: object) => {
  const target = `DynamoDB_20120810.${operation}`;
  const { status, body } = await sendJson(endpoint, target, JSON.stringify(request));
  return { status, body: body as object };
};

/** Finds the item with a condition as a filter. */
function find(FilterExpression: string) {
  const used = Object.entries(values).filter(([name]) =>
    FilterExpression.split(/[^:\w]+/).includes(name),
  );
  const ExpressionAttributeValues = used.length > 0 ? Object.fromEntries(used) : undefined;
  return send('Scan', { TableName, FilterExpression, ExpressionAttributeValues });
}

/** The expected results were observed in DynamoDB Local 2.6.1. */
describe('an item', () => {
  it.each([
    ...['n BETWEEN :4 AND :9', 'n > :4', 'b >= :b', 's <> :fi', 'n IN (:1, s) OR n > :1'],
    ...['x1 <> x2', 'x1 <> :1', 'NOT x1 = x2', 'n <> s'],
    ...['ss = :ss', 'l = :l', 'm = :m', 'yes = :yes', 'attribute_type(ss, :type)'],
    ...['begins_with(s, :fi)', 'begins_with(b, :b)', 'contains(ss, :a)', 'contains(b, :b)'],
    ...['contains(s, :fi)', 'contains(l, :1)', 'contains(l, :element)', 'size(e1) = :0'],
    ...['size(m) > :1', 'size(b) > :1', 'size(ss) > :1', 'attribute_exists(l[1].a)'],
    ...['attribute_not_exists(toString)', 'attribute_exists(m.c1)'],
  ])('is found by a condition that is true: %s', async (condition) => {
    expect(await find(condition)).toMatchObject({ status: 200, body: { Count: 1 } });
  });

  it.each([
    ...['n BETWEEN :1 AND x1', 'n BETWEEN x1 AND :9', 'x1 IN (x2, :1)'],
    ...['n IN (x1, :1)', 'x1 = x2', 'x1 <= x2', 'n < s', 'l < m'],
    ...['l <> :l', 'm <> :m', 'ss <> :ss', 'contains(n, :1)', 'begins_with(n, :fi)'],
    ...['contains(ss, :1)', 'size(x1) = :0', 'size(n) = :0', 'attribute_exists(l[5])'],
    ...['attribute_type(x1, :type)', 'attribute_exists(s.a)', 'attribute_exists(toString)'],
  ])('is not found by a condition that is false: %s', async (condition) => {
    expect(await find(condition)).toMatchObject({ status: 200, body: { Count: 0 } });
  });

  it.each(['PutItem', 'TransactWriteItems'])(
    'is written only if a condition is true (%s)',
    async (operation) => {
      const put = (ConditionExpression: string) => {
        const Put = { TableName, Item, ConditionExpression };
        return send(operation, operation === 'PutItem' ? Put : { TransactItems: [{ Put }] });
      };
      expect(await put('n <> x1')).toMatchObject({ status: 200 });
      const { status, body } = await put('n BETWEEN x1 AND x2');
      expect([status, JSON.stringify(body)]).toEqual([
        400,
        expect.stringContaining('ConditionalCheckFailed'),
      ]);
    },
  );
});
