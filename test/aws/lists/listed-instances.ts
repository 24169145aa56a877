import type { QueryInput } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { InstanceQuery } from '../../../src/api/stores/instance-lists.ts';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { StatusRow } from '../../../src/core/status/status-row.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { commitOf } from '../../support/data/commits.ts';
import type { Database } from '../tables.ts';

const start = Date.UTC(2026, 0, 1);

/** Returns a commit that sets the status of an instance, `time` milliseconds after the start. */
export function changed(
  model: string,
  transaction: string,
  status: string,
  time: number,
  version = 1,
): Commit {
  const at = toIso(start + time);
  return commitOf({ model, transaction }, version, { at, description: { status } });
}

/** Creates a table with the status rows of the given commits. Returns the lists of the table. */
export async function listsOf(database: Database, commits: readonly Commit[]) {
  const { instances } = await database.newTables();
  const store = new DynamoDbInstanceStore(database.dynamoDb, instances);
  const write = async (...changes: readonly Commit[]) => {
    for (const answer of await store.writeStatus(changes))
      if ('error' in answer) throw answer.error;
  };
  /** Writes commits only to the history, as if they changed no value in the status row. */
  const commit = async (...commits: readonly Commit[]) => {
    for (const answer of await store.commit(commits))
      expect(answer).toEqual({ value: 'committed' });
  };
  await write(...commits);
  return {
    lists: new DynamoDbInstanceLists(watched(database.dynamoDb), instances),
    write,
    commit,
  };
}

/** Reads all pages of a list in order. */
export async function pages(
  lists: DynamoDbInstanceLists,
  query: InstanceQuery,
  nextLimit: () => number,
): Promise<StatusRow[][]> {
  const found: StatusRow[][] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = nextLimit();
    const page = await lists.list(query, { limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    found.push([...page.items]);
    if (page.cursor === undefined) return found;
    // Without this check, a list that does not advance would hang the test.
    const isAfter = (a: string, b: string) => (query.order === 'oldest' ? a > b : a < b);
    expect(cursor === undefined || isAfter(page.cursor, cursor)).toBe(true);
    // Only the last page can be shorter than the limit.
    expect(page.items).toHaveLength(limit);
    cursor = page.cursor;
  }
}

export const names = (rows: readonly StatusRow[]) =>
  rows.map((row) => `${row.model}/${row.transaction}`);

export const moment = (time: number) => toIso(start + time);

interface Request {
  readonly name: string | symbol;
  readonly input: object;
}

const direct = (_: Request, next: () => Promise<unknown>) => next();

let around = direct;

/** Wraps a client so that hooks can run around its requests. */
const watched = (client: DynamoDb): DynamoDb =>
  new Proxy(client, {
    get: (target, name) => (input: object) =>
      around({ name, input }, () =>
        (target as unknown as Record<string | symbol, (input: object) => Promise<unknown>>)[name]!(
          input,
        ),
      ),
  });

export const queryOf =
  (partition: string) =>
  ({ name, input }: Request) => {
    const { ExpressionAttributeValues: values } = input as Partial<QueryInput>;
    return name === 'query' && values?.[':partition']?.S?.includes(partition) === true;
  };

/**
 * Runs `change` while a list is read, after the requests that match `after` and before the requests that match
 * `before`. In AWS, an index changes during a read because it follows its table with a delay, partition by partition.
 */
export async function whileReading<Result>(
  {
    after,
    before,
    change,
  }: {
    readonly after: (request: Request) => boolean;
    readonly before: (request: Request) => boolean;
    readonly change: () => Promise<void>;
  },
  read: () => Promise<Result>,
): Promise<Result> {
  const changed = Promise.withResolvers<void>();
  let underWay = 0;
  around = async (request, next) => {
    if (before(request)) await changed.promise;
    if (!after(request)) return next();
    underWay++;
    const answer = await next();
    if (--underWay === 0) change().then(changed.resolve, changed.reject);
    return answer;
  };
  try {
    return await read();
  } finally {
    around = direct;
  }
}
