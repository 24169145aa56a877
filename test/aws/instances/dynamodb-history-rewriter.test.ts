import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { toItems } from '../../../src/aws/instances/commit-item.ts';
import { DynamoDbHistoryRewriter } from '../../../src/aws/instances/dynamodb-history-rewriter.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../../support/data/commits.ts';
import { type Database, startDatabase } from '../tables.ts';
import {
  historyRewriterCases,
  largeCommit,
  newInstance,
  type RewriterUnderTest,
  rewriteAll,
} from './history-rewriter-cases.ts';

const onTable = (client: DynamoDb, table: string): RewriterUnderTest => ({
  store: new DynamoDbInstanceStore(client, table),
  rewriter: new DynamoDbHistoryRewriter(client, table),
  other: new DynamoDbHistoryRewriter(client, table),
});

describe('DynamoDbHistoryRewriter on an in-memory DynamoDB', () => {
  const underTest = onTable(new MemoryDynamoDb({ instances: {} }).dynamoDb, 'instances');
  historyRewriterCases(() => underTest);
});

describe('DynamoDbHistoryRewriter', () => {
  let database: Database;
  let underTest: RewriterUnderTest;
  beforeAll(async () => {
    database = await startDatabase();
    const { instances } = await database.newTables();
    underTest = onTable(database.dynamoDb, instances);
  });
  afterAll(() => database[Symbol.asyncDispose]());
  historyRewriterCases(() => underTest);
});

describe('a history whose commits change during the rewrite', () => {
  it('makes the rewrite fail with `contention`, and can be rewritten when the other writers stop', async () => {
    const database = new MemoryDynamoDb({ instances: {} });
    const client = database.dynamoDb;
    const store = new DynamoDbInstanceStore(client, 'instances');
    const instance = newInstance();
    await store.commit([largeCommit(instance, 1)]);
    let rewrites = 0;
    const outrun: typeof client = {
      ...client,
      async updateItem(input) {
        await client.updateItem({
          TableName: input.TableName,
          Key: input.Key,
          UpdateExpression: 'SET rewrites = :rewrites',
          ExpressionAttributeValues: { ':rewrites': { N: String(++rewrites) } },
        });
        return client.updateItem(input);
      },
    };
    const rewriter = new DynamoDbHistoryRewriter(outrun, 'instances');
    await expect(rewriteAll(rewriter, instance)).rejects.toMatchObject({
      code: 'contention',
      message: expect.stringContaining(`m/${instance.transaction}`),
    });
    expect(rewrites).toBe(5);
    expect(await rewriteAll(new DynamoDbHistoryRewriter(client, 'instances'), instance)).toBe(1);
  });
});

describe('bodies of rewritten commits', () => {
  const database = new MemoryDynamoDb({ instances: {} });
  const client = database.dynamoDb;
  const store = new DynamoDbInstanceStore(client, 'instances');
  const rewriter = new DynamoDbHistoryRewriter(client, 'instances');
  const put = async (items: readonly object[]) => {
    for (const Item of items) await client.putItem({ TableName: 'instances', Item: Item as never });
  };
  const textsOf = ({ transaction }: { transaction: string }) =>
    database
      .items('instances')
      .filter(({ pk, sk }) => pk!.S!.endsWith(transaction) && sk!.S!.startsWith('BODY#'))
      .map(({ sk }) => sk!.S!);

  it('are deleted, including the bodies of a writer that lost a conflict', async () => {
    const instance = newInstance();
    await store.commit([largeCommit(instance, 1)]);
    await put(toItems(largeCommit(instance, 1, 90_000)).bodies);
    expect(textsOf(instance)).toHaveLength(4);
    await rewriteAll(rewriter, instance);
    expect(textsOf(instance)).toEqual([]);
  });

  it('are kept while a commit refers to them', async () => {
    const instance = newInstance();
    const [kept, rewritten] = [largeCommit(instance, 1), largeCommit(instance, 2)];
    await store.commit([kept]);
    await store.commit([rewritten]);
    const blankTexts = (commit: typeof kept) =>
      commit.version === 2 ? commitOf(instance, 2, { seen: commit.seen }) : undefined;
    await rewriteAll(rewriter, instance, blankTexts);
    expect(textsOf(instance)).toEqual(
      toItems(kept)
        .bodies.map(({ sk }) => sk!.S!)
        .toSorted(),
    );
    const { commits } = await store.commitsFrom(instance, 1, 1);
    expect(commits[0]!.entries).toStrictEqual(kept.entries);
  });

  it('are kept if the rewritten commits no longer fit into one response', async () => {
    const instance = newInstance();
    // DynamoDB returns up to 1 MB. Four of these commits fit into a response until the rewrite moves the shortened data
    // into their items.
    const commits = [1, 2, 3, 4].map((version) => {
      const { entries } = largeCommit(instance, version);
      return commitOf(instance, version, { entries, description: { status: 'x'.repeat(260_000) } });
    });
    for (const commit of commits) await store.commit([commit]);
    const shortened = JSON.stringify('y'.repeat(7_000));
    const shorten = (commit: Commit): Commit | undefined =>
      commit.entries[0]!.data === shortened
        ? undefined
        : { ...commit, entries: commit.entries.map((entry) => ({ ...entry, data: shortened })) };
    expect(await rewriteAll(rewriter, instance, shorten)).toBe(4);
    const read = await Promise.all(
      commits.map(({ version }) => store.commitsFrom(instance, version, 1)),
    );
    expect(read.map((page) => page.commits[0]!.entries[0]!.effects)).toStrictEqual(
      commits.map(({ entries }) => entries[0]!.effects),
    );
  });

  it('are kept if their commit has not been written yet', async () => {
    const instance = newInstance();
    await store.commit([commitOf(instance, 1)]);
    const coming = toItems(largeCommit(instance, 2));
    await put(coming.bodies);
    await rewriteAll(rewriter, instance);
    await put([coming.commit]);
    const { commits } = await store.commitsFrom(instance, 2, 1);
    expect(commits[0]!.entries).toStrictEqual(largeCommit(instance, 2).entries);
  });
});
