import type { QueryInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { queryPages, scanPages } from '../../../src/aws/dynamodb/read-pages.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';

const query = {
  TableName: 'items',
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'P' } },
  Limit: 2,
};

/** A table of five items with one partition key, and the read requests that it received. */
async function fiveItems() {
  const { dynamoDb } = new MemoryDynamoDb({ items: {} });
  for (const sk of ['1', '2', '3', '4', '5'])
    await dynamoDb.putItem({ TableName: 'items', Item: { pk: { S: 'P' }, sk: { S: sk } } });
  const starts: (string | undefined)[] = [];
  const client: DynamoDb = {
    ...dynamoDb,
    query: (input: QueryInput) => {
      starts.push(input.ExclusiveStartKey?.sk?.S);
      return dynamoDb.query(input);
    },
  };
  return { client, starts };
}

describe('queryPages', () => {
  it('continues after the last key of each page until the end', async () => {
    const { client, starts } = await fiveItems();
    const pages = await Array.fromAsync(queryPages(client, query), ({ Items = [] }) =>
      Items.map(({ sk }) => sk!.S),
    );
    expect(pages).toEqual([['1', '2'], ['3', '4'], ['5']]);
    expect(starts).toEqual([undefined, '2', '4']);
  });

  it('sends no request for a page that the caller does not read', async () => {
    const { client, starts } = await fiveItems();
    for await (const { Items = [] } of queryPages(client, query)) if (Items.length > 0) break;
    expect(starts).toEqual([undefined]);
  });
});

describe('scanPages', () => {
  it('continues after a page without items', async () => {
    const answers = [
      { Items: [], Count: 0, LastEvaluatedKey: { id: { S: 'a' } } },
      { Items: [{ id: { S: 'b' } }], Count: 1 },
    ];
    const client = { scan: () => Promise.resolve(answers.shift()) } as unknown as DynamoDb;
    const pages = await Array.fromAsync(scanPages(client, { TableName: 'models' }));
    expect(pages.flatMap(({ Items = [] }) => Items)).toEqual([{ id: { S: 'b' } }]);
  });
});
