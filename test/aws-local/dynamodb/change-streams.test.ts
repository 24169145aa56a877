import { promisify } from 'node:util';
import db, { type Store, type Table } from 'dynalite/db/index.js';
import { describe, expect, it } from 'vitest';
import { ChangeStreams } from '../../../src/aws-local/dynamodb/change-streams/change-streams.ts';
import { nextSequenceNumber } from '../../../src/aws-local/dynamodb/change-streams/sequence-number.ts';
import {
  decodeIterator,
  encodeIterator,
} from '../../../src/aws-local/dynamodb/change-streams/shard-iterator.ts';
import { operationsOfChange } from '../../../src/aws-local/dynamodb/item-changes.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const hour = 3_600_000;
const times = { shardLifetimeMs: 4 * hour, retentionMs: 24 * hour };

const newTable = () =>
  ({
    TableName: 'orders',
    TableStatus: 'ACTIVE',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  }) as unknown as Table;

/** Opens the streams of a store, as a restarted endpoint does. */
async function openStreams(store: Store, clock: ManualClock): Promise<ChangeStreams> {
  const streams = new ChangeStreams(store, clock, times);
  await streams.load();
  return streams;
}

async function streamedTable() {
  const clock = new ManualClock();
  const store = db.create({});
  await store.db.open();
  const streams = await openStreams(store, clock);
  const table = newTable();
  await promisify(store.tableDb.put)('orders', table);
  const write = async (pk: string) => {
    const operations = operationsOfChange(store, table, undefined, { pk: { S: pk } });
    if (operations.length > 0) await promisify(store.db.batch)([...operations]);
  };
  return { clock, store, streams, table, write, arn: table.LatestStreamArn ?? '' };
}

describe('the change streams of a store', () => {
  it('show a shard as closed only after its closure and all earlier records are stored', async () => {
    const { clock, store, streams, arn } = await streamedTable();
    const { batch } = store.db;
    const held: (() => void)[] = [];
    store.db.batch = (operations, done) => void held.push(() => batch(operations, done));
    await clock.advance(5 * hour);
    const maintained = streams.maintain();
    expect(held).toHaveLength(1);
    expect(streams.find(arn)?.shards.map(({ end }) => end)).toEqual([undefined, undefined]);
    for (const release of held) release();
    await maintained;
    const ends = streams.find(arn)?.shards.map(({ end }) => typeof end);
    expect(ends).toEqual(['string', 'string', 'undefined', 'undefined']);
  });

  it('keep their latest sequence number if the clock was set back before a restart', async () => {
    const { clock, store, streams, write } = await streamedTable();
    await write('a');
    const before = BigInt(streams.latestSequenceNumber);
    const early = new ManualClock(clock.now() - hour);
    const restarted = await openStreams(store, early);
    expect(BigInt(restarted.latestSequenceNumber)).toBe(before);
  });

  it('include a new stream for a table whose deletion was interrupted', async () => {
    const { clock, store, table, arn } = await streamedTable();
    await promisify(store.tableDb.put)('orders', { ...table, TableStatus: 'DELETING' });
    // Restore the table, as the endpoint does with interrupted deletions before it opens the streams.
    await promisify(store.db.put)('table~orders', table as never);
    await clock.advance(1);
    const restarted = await openStreams(store, clock);
    expect(restarted.find(arn)?.status).toBe('DISABLED');
    expect(restarted.all.map(({ status }) => status)).toEqual(['DISABLED', 'ENABLED']);
    expect(restarted.recordedTables).toHaveLength(1);
  });
});

describe('sequence numbers', () => {
  it('increase within a millisecond, even if the clock is set back', () => {
    const first = nextSequenceNumber(0n, 1_000);
    const second = nextSequenceNumber(first, 1_000);
    const third = nextSequenceNumber(second, 900);
    expect([second - first, third - second]).toEqual([1n, 1n]);
    expect(nextSequenceNumber(third, 1_001)).toBeGreaterThan(third + 1n);
  });
});

describe('shard iterators', () => {
  it('expire after 15 minutes', () => {
    const position = { streamArn: 'arn:stream', shardId: 'shardId-1', from: '1' };
    const iterator = encodeIterator(position, 0);
    expect(decodeIterator(iterator, 15 * 60_000)).toEqual(position);
    expect(() => decodeIterator(iterator, 15 * 60_000 + 1)).toThrow(/older than 15 minutes/);
  });
});
