import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { archiveCommits } from '../../src/archiver/archive-commits.ts';
import type { ArchiveRow } from '../../src/archiver/archive-row.ts';
import { archiveColumns } from '../../src/aws/archive/archive-columns.ts';
import { archiveLine } from '../../src/aws/archive/archive-line.ts';
import { readStreamedCommits, streamedCommits } from '../../src/aws/archive/streamed-commits.ts';
import type { Item } from '../../src/aws/client/dynamodb.ts';
import { encodeBytes } from '../../src/aws/client/transport/attribute-bytes.ts';
import { toItems } from '../../src/aws/instances/commit-item.ts';
import { DynamoDbHistoryRewriter } from '../../src/aws/instances/dynamodb-history-rewriter.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { systemClock } from '../../src/common/clock.ts';
import { Deadline } from '../../src/common/deadline.ts';
import type { Commit } from '../../src/core/history/commit.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { commitOf } from '../support/data/commits.ts';
import { ManualClock } from '../support/manual-clock.ts';

const key = { model: 'orders', transaction: 'O-1/é' };
const noDeadline = Deadline.none(systemClock);
let sequence = 0;

/** Returns the stream record of a change to an item, with binary values encoded in Base64. */
const change = (item: Item, eventName: 'INSERT' | 'MODIFY' = 'INSERT'): DynamoDBRecord => ({
  eventName,
  dynamodb: {
    Keys: { pk: item.pk, sk: item.sk } as never,
    NewImage: JSON.parse(JSON.stringify(encodeBytes(item))),
    SequenceNumber: String(++sequence),
  },
});

/** Archives records of the table's stream. Returns the accepted lines and the position to retry from. */
async function archived(memory: MemoryDynamoDb, records: readonly DynamoDBRecord[]) {
  const lines: string[] = [];
  const unreadable: string[] = [];
  const again = await archiveCommits(
    {
      readCommits: (commits) => readStreamedCommits(memory.dynamoDb, 'instances', commits),
      putRows: (rows: readonly ArchiveRow[]) =>
        Promise.resolve(void lines.push(...rows.map(archiveLine))),
      logError: (reason) => {
        throw new Error(reason);
      },
      logUnreadable: ({ image }, reason) => unreadable.push(`${image.sk!.S}: ${reason}`),
    },
    streamedCommits(records),
    noDeadline,
  );
  return {
    again,
    unreadable,
    rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

async function archive(commits: readonly Commit[], others: readonly DynamoDBRecord[] = []) {
  const memory = new MemoryDynamoDb({ instances: {} });
  const items = commits.map(toItems);
  for (const item of items.flatMap(({ bodies }) => bodies))
    await memory.dynamoDb.putItem({ TableName: 'instances', Item: item });
  return archived(memory, [...others, ...items.map(({ commit }) => change(commit))]);
}

const entryOf = (commit: Commit, id: string, more: object = {}) => ({
  ...commit.entries[0]!,
  event: { ...commit.entries[0]!.event, id },
  ...more,
});

describe('the archiver', () => {
  it('writes a row for each event of a commit, with a value for each column', async () => {
    const one = commitOf(key, 3, { at: '2026-02-03T23:59:59.999Z' });
    const commit = {
      ...one,
      state: '{"n":2}',
      entries: [
        entryOf(one, 'a', { data: '{"x":0.1}', state: '{"n":1}' }),
        entryOf(one, 'b', { outcome: 'rejected', reason: 'no', state: '{"n":2}' }),
      ],
    } as Commit;
    const { rows } = await archive([commit]);
    expect(rows).toMatchObject([
      { model: 'orders', day: '2026-02-03', transaction_id: 'O-1/é', version: 3, place: 0 },
      { event_id: 'b', place: 1, outcome: 'rejected', reason: 'no', state: '{"n":2}' },
    ]);
    expect(rows[0]).toMatchObject({ data: '{"x":0.1}', state: '{"n":1}', cut: false });
    for (const row of rows)
      expect(Object.keys(row)).toEqual(['model', 'day', ...Object.keys(archiveColumns)]);
    const types = {
      string: 'string',
      int: 'number',
      bigint: 'number',
      double: 'number',
      boolean: 'boolean',
    };
    for (const [name, { type }] of Object.entries(archiveColumns))
      expect([types[type], 'object']).toContain(typeof rows[0]![name]);
  });

  it('includes large data, which is stored outside the commit item', async () => {
    const one = commitOf(key, 1);
    const data = JSON.stringify({ large: 'é'.repeat(100_000) });
    const { rows } = await archive([{ ...one, entries: [entryOf(one, 'a', { data })] }]);
    expect(rows[0]).toMatchObject({ data });
  });

  it('omits large data that was erased before its commit was archived', async () => {
    const memory = new MemoryDynamoDb({ instances: {} });
    const store = new DynamoDbInstanceStore(memory.dynamoDb, 'instances');
    const one = commitOf(key, 1);
    const data = JSON.stringify({ large: 'é'.repeat(100_000) });
    const commit = { ...one, entries: [entryOf(one, 'a', { data })] };
    await store.commit([commit]);
    const rewriter = new DynamoDbHistoryRewriter(memory.dynamoDb, 'instances');
    await rewriter.rewrite(key, 1, (stored) => ({
      ...stored,
      entries: [entryOf(stored, 'a', { data: 'null' })],
    }));
    const { again, rows } = await archived(memory, [
      change(toItems(commit).commit),
      change(toItems(commitOf(key, 2)).commit),
    ]);
    expect(again).toBeUndefined();
    expect(rows).toMatchObject([{ version: 1, event_id: 'a', data: 'null' }, { version: 2 }]);
  });

  it('omits the data and the state of a row if they are too large for a line, and marks the row', async () => {
    const one = commitOf(key, 1);
    const state = JSON.stringify({ quotes: '"'.repeat(280_000) });
    const entry = entryOf(one, 'a', { data: state, state });
    const { rows } = await archive([{ ...one, state, entries: [entry] }]);
    expect(rows).toMatchObject([{ event_id: 'a', cut: true, data: null, state: null }]);
  });

  it('ignores changed items and items that are not commits', async () => {
    const { commit } = toItems(commitOf(key, 1));
    const status = change({ ...commit, sk: { S: 'STATUS' } });
    const { again, rows } = await archive([], [status, change(commit, 'MODIFY')]);
    expect([again, rows]).toEqual([undefined, []]);
  });

  it('logs and omits a commit that can never be read, and archives all other commits', async () => {
    const records = [1, 2, 3].map((version) => change(toItems(commitOf(key, version)).commit));
    delete records[1]!.dynamodb!.NewImage!.at;
    const { again, rows, unreadable } = await archived(new MemoryDynamoDb({}), records);
    expect(again).toBeUndefined();
    expect(rows).toMatchObject([{ version: 1 }, { version: 3 }]);
    expect(unreadable).toEqual([
      'COMMIT#0000000002: the item orders#O-1/é COMMIT#0000000002 has no attribute at',
    ]);
  });

  it('retries commits that are temporarily unreadable', async () => {
    const unreadable: unknown[] = [];
    const again = await archiveCommits(
      {
        readCommits: () => Promise.reject(new Error('outage')),
        putRows: () => Promise.resolve(),
        logError: () => {},
        logUnreadable: (streamed) => unreadable.push(streamed),
      },
      [{ sequence: '1' }, { sequence: '2' }],
      noDeadline,
    );
    expect([again, unreadable]).toEqual(['1', []]);
  });

  /** Commits that are put in several requests, because each contains a large state. */
  const largeCommits = Array.from({ length: 30 }, (_, n) => {
    const one = commitOf(key, n + 1);
    return { ...one, entries: [entryOf(one, 'a', { state: `"${'s'.repeat(100_000)}"` })] };
  });
  const changes = largeCommits.map((commit) => change(toItems(commit).commit));
  const readLarge = async (streamed: readonly { readonly sequence: string }[]) =>
    streamed.map(
      ({ sequence: wanted }) =>
        largeCommits[changes.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === wanted)]!,
    );

  it('stops at rejected rows, and returns the position from which a retry continues', async () => {
    let calls = 0;
    const reasons: string[] = [];
    const again = await archiveCommits(
      {
        readCommits: readLarge,
        putRows: () => (++calls === 2 ? Promise.reject(new Error('full')) : Promise.resolve()),
        logError: (reason) => reasons.push(reason),
        logUnreadable: () => {},
      },
      streamedCommits(changes),
      noDeadline,
    );
    expect(again).toBe(changes[10]!.dynamodb!.SequenceNumber);
    expect([calls, reasons]).toEqual([2, ['full']]);
  });

  it('stops before the function times out, and returns the position from which a retry continues', async () => {
    const clock = new ManualClock();
    let calls = 0;
    const archiving = archiveCommits(
      {
        readCommits: readLarge,
        putRows: () => (++calls === 2 ? new Promise(() => {}) : Promise.resolve()),
        logError: () => {},
        logUnreadable: () => {},
      },
      streamedCommits(changes),
      Deadline.in(clock, 1_000),
    );
    await clock.advance(1_000);
    expect(await archiving).toBe(changes[10]!.dynamodb!.SequenceNumber);
    expect(calls).toBe(2);
  });

  it('puts the rows of many small commits in one request', async () => {
    const small = Array.from({ length: 250 }, (_, n) =>
      change(toItems(commitOf(key, n + 1)).commit),
    );
    const puts: number[] = [];
    const again = await archiveCommits(
      {
        readCommits: (streamed) => Promise.resolve(streamed.map((_, n) => commitOf(key, n + 1))),
        putRows: async (rows) => void puts.push(rows.length),
        logError: () => {},
        logUnreadable: () => {},
      },
      streamedCommits(small),
      noDeadline,
    );
    expect([again, puts]).toEqual([undefined, [250]]);
  });

  it('puts less than 25 MB of state data into each request, even if each commit is compressed to a few kilobytes', async () => {
    const one = commitOf(key, 1);
    const list = Array.from({ length: 700 }, (_, n) => ({ item: `item ${n}`, isPacked: false }));
    const entries = list.slice(0, 70).map((line, n) => {
      line.isPacked = true;
      return entryOf(one, `e${n}`, { state: JSON.stringify({ list }) });
    });
    const { commit } = toItems({ ...one, state: entries.at(-1)!.state, entries });
    expect(JSON.stringify(change(commit)).length).toBeLessThan(20_000);
    const sizes: number[] = [];
    const again = await archiveCommits(
      {
        readCommits: (commits) =>
          readStreamedCommits(new MemoryDynamoDb({}).dynamoDb, 'instances', commits),
        putRows: async (rows) =>
          void sizes.push(rows.reduce((sum, { state }) => sum + (state?.length ?? 0), 0)),
        logError: () => {},
        logUnreadable: () => {},
      },
      streamedCommits(Array.from({ length: 110 }, () => change(commit))),
      noDeadline,
    );
    expect(again).toBeUndefined();
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(150_000_000);
    expect(Math.max(...sizes)).toBeLessThan(25_000_000);
  });
});
