import db from 'dynalite/db/index.js';
import { expect, it } from 'vitest';
import { createDynalite } from '../../../src/aws-local/dynamodb/dynalite-store.ts';

it('the dynalite store writes an item and its index entries in one batch', () => {
  const { store } = createDynalite(null);
  const table = {
    TableName: 'table',
    TableStatus: 'ACTIVE' as const,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: ['pk', 'part'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'parts',
        IndexStatus: 'ACTIVE' as const,
        KeySchema: [{ AttributeName: 'part', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  };
  const before = { pk: { S: 'a' }, part: { S: 'one' } };
  const after = { pk: { S: 'a' }, part: { S: 'two' } };
  const batches: { type: string; key: string }[][] = [];
  store.db.batch = (operations, done) => {
    batches.push(operations.map(({ type, key }) => ({ type, key: key.split('~')[0] ?? '' })));
    done();
  };

  db.updateIndexes(store, table, undefined, before, () => {});
  db.updateIndexes(store, table, before, after, () => {});
  db.updateIndexes(store, table, after, null, () => {});

  const [item, index] = ['item-table', 'index-global'];
  expect(batches).toEqual([
    [
      { type: 'put', key: index },
      { type: 'put', key: item },
    ],
    [
      { type: 'del', key: index },
      { type: 'put', key: index },
      { type: 'put', key: item },
    ],
    [
      { type: 'del', key: index },
      { type: 'del', key: item },
    ],
  ]);
});
