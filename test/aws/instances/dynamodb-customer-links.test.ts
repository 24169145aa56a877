import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbCustomerLinks } from '../../../src/aws/instances/dynamodb-customer-links.ts';
import { customerLinkId } from '../../../src/core/status/customer-link.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { customerLinksInMemory } from '../../support/aws-in-memory/stores-in-memory.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Database, startDatabase } from '../tables.ts';
import { customerLinkCases, type LinksUnderTest } from './customer-link-cases.ts';

describe('DynamoDbCustomerLinks on an in-memory DynamoDB', () => {
  const clock = new ManualClock();
  const database = new MemoryDynamoDb({ links: {} });
  const links = customerLinksInMemory(clock, database);
  const other = customerLinksInMemory(clock, database);
  customerLinkCases(() => ({ links, other, clock }));
});

describe('DynamoDbCustomerLinks', () => {
  let database: Database;
  let table: string;
  let underTest: LinksUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    ({ links: table } = await database.newTables());
    const clock = new ManualClock();
    const onTable = () => new DynamoDbCustomerLinks(database.dynamoDb, table, clock);
    underTest = { links: onTable(), other: onTable(), clock };
  });
  afterAll(() => database[Symbol.asyncDispose]());
  customerLinkCases(() => underTest);

  it('stores the expiry time in seconds, as DynamoDB requires', async () => {
    const id = customerLinkId(0, '0'.repeat(16));
    const times = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' };
    await underTest.links.add({ model: 'm', transaction: 'a#b' }, { id, ...times });
    const key = { pk: { S: 'm#a#b' }, sk: { S: id } };
    const { Item } = await database.dynamoDb.getItem({ TableName: table, Key: key });
    expect(Item).toEqual({
      ...key,
      createdAt: { S: times.createdAt },
      expiresAt: { N: String(Date.UTC(2026, 0, 2) / 1000) },
    });
  });
});
