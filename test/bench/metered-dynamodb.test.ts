import { beforeEach, describe, expect, it } from 'vitest';
import { Meter } from '../../bench/cost/meter.ts';
import { meteredDynamoDb } from '../../bench/cost/metered-dynamodb.ts';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import type { Item } from '../support/item-size.ts';

const TableName = 'rows';
const key = (sk: string) => ({ pk: { S: 'P' }, sk: { S: sk } });
const row = (sk: string, more: Record<string, Item[string]> = {}) => ({ ...key(sk), ...more });
const text = (bytes: number) => ({ S: 'x'.repeat(bytes) });

describe('a metered DynamoDB', () => {
  let meter: Meter;
  let database: DynamoDb;
  beforeEach(() => {
    meter = new Meter();
    const memory = new MemoryDynamoDb({
      [TableName]: { indexes: { latest: { partition: 'part', sort: 'since' } } },
    });
    const latest = { name: 'latest', key: ['part', 'since'] };
    const attributes = new Set(['pk', 'sk', 'part', 'since']);
    const shape = { name: TableName, key: ['pk', 'sk'], indexes: [{ ...latest, attributes }] };
    database = meteredDynamoDb(memory.dynamoDb, [shape], meter);
  });

  const put = (Item: Record<string, Item[string]>, ConditionExpression?: string) =>
    database.putItem({ TableName, Item, ConditionExpression });
  const indexed = { part: { S: 'a' }, since: { S: '1' } };

  it('charges for the larger of the old and the new item on a put, by kind of item', async () => {
    await put(row('COMMIT#1', { x: text(1_500) }));
    await put(row('COMMIT#1'));
    await put(row('STATUS'));
    expect(meter.writeUnits.per(1)).toEqual({ COMMIT: 4, STATUS: 1 });
  });

  it('charges for writes to indexes', async () => {
    await put(row('STATUS', indexed));
    const update = (since: string) =>
      database.updateItem({
        TableName,
        Key: key('STATUS'),
        UpdateExpression: 'SET since = :since',
        ExpressionAttributeValues: { ':since': { S: since } },
      });
    await update('1');
    await update('2');
    expect(meter.writeUnits.per(1)).toEqual({ STATUS: 3, 'index latest': 1 + 0 + 2 });
  });

  it('charges for the existing item on a write whose condition fails', async () => {
    await put(row('COMMIT#1', { x: text(2_500) }));
    await expect(put(row('COMMIT#1'), 'attribute_not_exists(pk)')).rejects.toThrow(/conditional/);
    expect(meter.writeUnits.per(1)).toEqual({ COMMIT: 3, 'conditions that failed': 3 });
  });

  it('charges for the deleted item on a delete', async () => {
    await put(row('PARKED#1', { x: text(1_500) }));
    await database.deleteItem({ TableName, Key: key('PARKED#1') });
    await database.deleteItem({ TableName, Key: key('PARKED#1') });
    expect(meter.writeUnits.total()).toBe(2 + 2 + 1);
    expect(meter.stored.total()).toBe(0);
  });

  it('charges for each statement of a batch as a separate write', async () => {
    await put(row('STATUS', { ...indexed, version: { N: '1' } }));
    const move = (version: string) => ({
      Statement: `UPDATE "${TableName}" SET "since" = ? WHERE "pk" = ? AND "sk" = ? AND "version" = ?`,
      Parameters: [{ S: '2' }, { S: 'P' }, { S: 'STATUS' }, { N: version }],
    });
    await database.batchExecuteStatement({ Statements: [move('1')] });
    await database.batchExecuteStatement({ Statements: [move('9')] });
    expect(meter.writeUnits.per(1)).toEqual({
      STATUS: 1 + 1,
      'index latest': 1 + 2,
      'conditions that failed': 1,
    });
  });

  it('charges per 4 KB for a read of one item, even if the item does not exist', async () => {
    await put(row('a', { x: text(5_000) }));
    const get = (sk: string, ConsistentRead: boolean) =>
      database.getItem({ TableName, Key: key(sk), ConsistentRead });
    await get('a', true);
    await get('a', false);
    await get('b', true);
    expect(meter.readUnits.per(1)).toEqual({ GetItem: 2 + 1 + 1 });
  });

  it('rounds up the size of each item of a BatchGetItem but only the total of a Query', async () => {
    for (const sk of ['a', 'b', 'c']) await put(row(sk, { x: text(1_500) }));
    const Keys = ['a', 'b', 'c', 'd'].map(key);
    await database.batchGetItem({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } });
    await database.query({
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :all)',
      ExpressionAttributeValues: { ':pk': { S: 'P' }, ':all': { S: '' } },
      ConsistentRead: true,
      Select: 'COUNT',
    });
    expect(meter.readUnits.per(1)).toEqual({ BatchGetItem: 4, Query: 2 });
  });

  it('charges for the projected items on a query of an index, as for an eventually consistent read', async () => {
    for (const sk of ['a', 'b']) await put(row(sk, { ...indexed, x: text(9_000) }));
    await database.query({
      TableName,
      IndexName: 'latest',
      KeyConditionExpression: 'part = :part',
      ExpressionAttributeValues: { ':part': { S: 'a' } },
    });
    expect(meter.readUnits.per(1)).toEqual({ Query: 0.5 });
  });

  it('counts requests and the bytes of request and response bodies', async () => {
    await put(row('a', { b: { B: new Uint8Array(3) } }));
    const body = JSON.stringify({ TableName, Item: { ...row('a'), b: { B: 'AAAA' } } });
    expect(meter.requests.per(1)).toEqual({ 'DynamoDB PutItem': 1 });
    expect(meter.bytes.total()).toBe(body.length + '{}'.length);
  });
});
