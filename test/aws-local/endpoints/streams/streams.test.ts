import {
  CreateTableCommand,
  DeleteTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  type StreamSpecification,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import {
  createTable,
  type Database,
  describeTable,
  keyOf,
  readShard,
  readStream,
  sequenceNumberOf,
  startDatabase,
} from './support.ts';

const TableName = 'orders';

function put(client: DynamoDBClient, pk: string, value = '1') {
  const Item = { pk: { S: pk }, sk: { S: 's' }, value: { S: value } };
  return client.send(new PutItemCommand({ TableName, Item }));
}

function update({ client }: Database, StreamSpecification: StreamSpecification) {
  return client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
}

const keysOf = async ({ streams }: Database, arn: string) =>
  (await readStream(streams, arn)).map(keyOf);

describe('the stream of a table', () => {
  it('is part of the table description', async () => {
    const { client, streams } = await startDatabase();
    const arn = await createTable(client, TableName, 'NEW_IMAGE');
    const table = await describeTable(client, TableName);
    expect(table).toMatchObject({
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      LatestStreamLabel: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
    });
    expect(arn).toBe(`${table?.TableArn}/stream/${table?.LatestStreamLabel}`);
    expect(await streams.send('DescribeStream', { StreamArn: arn })).toMatchObject({
      StreamDescription: {
        StreamArn: arn,
        StreamLabel: table?.LatestStreamLabel,
        StreamStatus: 'ENABLED',
        StreamViewType: 'NEW_IMAGE',
        TableName,
        KeySchema: [{ AttributeName: 'pk' }, { AttributeName: 'sk' }],
      },
    });
  });

  it('exists only if it is enabled', async () => {
    const database = await startDatabase();
    expect(await createTable(database.client, TableName)).toBe('');
    await put(database.client, 'a');
    const table = await describeTable(database.client, TableName);
    expect(table).not.toHaveProperty('StreamSpecification');
    expect(await database.streams.send('ListStreams', {})).toEqual({ Streams: [] });
  });

  it('records changes while it is enabled, and remains readable afterward', async () => {
    const database = await startDatabase();
    const { client } = database;
    await createTable(client, TableName);
    await put(client, 'before');
    const enabled = await update(database, { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' });
    const arn = enabled.TableDescription?.LatestStreamArn ?? '';
    await put(client, 'during');
    await update(database, { StreamEnabled: false });
    await put(client, 'after');
    expect(await describeTable(client, TableName)).not.toHaveProperty('StreamSpecification');
    expect(await keysOf(database, arn)).toEqual(['during']);
    expect(await database.streams.send('DescribeStream', { StreamArn: arn })).toMatchObject({
      StreamDescription: { StreamStatus: 'DISABLED' },
    });

    await update(database, { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
    const next = (await describeTable(client, TableName))?.LatestStreamArn ?? '';
    expect(next).not.toBe(arn);
    await put(client, 'again');
    expect(await keysOf(database, next)).toEqual(['again']);
    expect(await keysOf(database, arn)).toEqual(['during']);
  });

  it('ends when the table is deleted', async () => {
    const database = await startDatabase();
    const arn = await createTable(database.client, TableName, 'KEYS_ONLY');
    await put(database.client, 'a');
    await database.client.send(new DeleteTableCommand({ TableName }));
    expect(await keysOf(database, arn)).toEqual(['a']);
    await vi.waitFor(() =>
      expect(describeTable(database.client, TableName)).rejects.toThrow(/not found/),
    );
    const again = await createTable(database.client, TableName, 'KEYS_ONLY');
    expect(again).not.toBe(arn);
    await put(database.client, 'b');
    expect(await keysOf(database, again)).toEqual(['b']);
    const { Streams } = await database.streams.send<{ Streams: { StreamArn: string }[] }>(
      'ListStreams',
      { TableName },
    );
    expect(Streams.map(({ StreamArn }) => StreamArn)).toEqual([arn, again]);
  });

  it('rejects invalid settings', async () => {
    const database = await startDatabase();
    const { client } = database;
    await createTable(client, TableName);
    const enabled: StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' };
    await expect(update(database, { StreamEnabled: false })).rejects.toMatchObject({
      name: 'ValidationException',
    });
    await expect(update(database, { StreamEnabled: true })).rejects.toThrow(
      /StreamViewType is required/,
    );
    await update(database, enabled);
    await expect(update(database, enabled)).rejects.toThrow(/already has an enabled stream/);
    const both = { TableName, StreamSpecification: enabled, BillingMode: 'PROVISIONED' as const };
    await expect(client.send(new UpdateTableCommand(both))).rejects.toThrow(
      'the local endpoint cannot change StreamSpecification together with other settings; update these separately: BillingMode',
    );
    const missing = new UpdateTableCommand({ TableName: 'none', StreamSpecification: enabled });
    await expect(client.send(missing)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    const invalid = new CreateTableCommand({
      TableName: 'invalid',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      StreamSpecification: { StreamEnabled: true },
    });
    await expect(client.send(invalid)).rejects.toThrow(/StreamViewType is required/);
  });
});

describe('shard iterators', () => {
  /** Creates a stream with five records in one shard. */
  async function fiveRecords() {
    const database = await startDatabase();
    const StreamArn = await createTable(database.client, TableName, 'NEW_IMAGE');
    for (const value of ['1', '2', '3', '4', '5']) await put(database.client, 'a', value);
    const { Shards } = await database.streams.describeStream({ StreamArn });
    const records = await readStream(database.streams, StreamArn);
    const number = (n: number) => records[n]!.dynamodb.SequenceNumber;
    for (const { ShardId } of Shards) {
      const shard = { StreamArn, ShardId };
      const found = await readShard(database.streams, {
        ...shard,
        ShardIteratorType: 'TRIM_HORIZON',
      });
      if (found.length === 5) return { ...database, shard, number };
    }
    throw new Error('the records of a key are in different shards');
  }

  it('can start at every kind of position', async () => {
    const { client, streams, shard, number } = await fiveRecords();
    const values = async (request: object, limit?: number) => {
      const ShardIteratorType = 'TRIM_HORIZON' as const;
      const records = await readShard(streams, { ...shard, ShardIteratorType, ...request }, limit);
      return records.map(({ dynamodb }) => dynamodb.NewImage?.['value']?.S).join('');
    };
    expect(await values({})).toBe('12345');
    expect(await values({}, 2)).toBe('12345');
    const at = { ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber: number(2) };
    expect(await values(at)).toBe('345');
    expect(await values({ ...at, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' })).toBe('45');
    const latest = await streams.getShardIterator({ ...shard, ShardIteratorType: 'LATEST' });
    expect(await streams.getRecords({ ShardIterator: latest })).toMatchObject({ Records: [] });
    await put(client, 'a', '6');
    const { Records } = await streams.getRecords({ ShardIterator: latest });
    expect(Records.map(({ dynamodb }) => dynamodb.NewImage?.['value']?.S)).toEqual(['6']);
  });

  it('are not created for positions and streams that do not exist', async () => {
    const { streams, shard } = await fiveRecords();
    const ShardIteratorType = 'AFTER_SEQUENCE_NUMBER' as const;
    const rejected = (request: object, name: string) =>
      expect(
        streams.getShardIterator({ ...shard, ShardIteratorType, ...request }),
      ).rejects.toMatchObject({ name });
    await rejected({ SequenceNumber: '1'.repeat(21) }, 'ValidationException');
    await rejected({ SequenceNumber: '9'.repeat(25) }, 'ValidationException');
    await rejected({ SequenceNumber: 'x' }, 'ValidationException');
    await rejected({}, 'ValidationException');
    const ofAll = { ShardIteratorType: 'TRIM_HORIZON' };
    await rejected({ ...ofAll, StreamArn: 'arn:none' }, 'ResourceNotFoundException');
    await rejected({ ...ofAll, ShardId: 'shardId-none' }, 'ResourceNotFoundException');
    await expect(streams.getRecords({ ShardIterator: 'none' })).rejects.toMatchObject({
      name: 'ValidationException',
    });
    await expect(streams.send('SplitShard', {})).rejects.toThrow(
      /DynamoDB Streams endpoint does not support SplitShard/,
    );
  });

  it('return at most 1 MB of records per request', async () => {
    const { client, streams } = await startDatabase();
    const StreamArn = await createTable(client, TableName, 'NEW_IMAGE');
    const large = 'x'.repeat(300_000);
    for (let n = 0; n < 5; n += 1) await put(client, 'a', `${n}${large}`);
    const { Shards } = await streams.describeStream({ StreamArn });
    const pages = await Promise.all(
      Shards.map(async ({ ShardId }) => {
        const first = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
        const ShardIterator = await streams.getShardIterator(first);
        return streams.getRecords({ ShardIterator });
      }),
    );
    const page = pages.find(({ Records }) => Records.length > 0);
    expect(page?.Records).toHaveLength(3);
    const rest = await streams.getRecords({ ShardIterator: page?.NextShardIterator ?? '' });
    expect(rest.Records).toHaveLength(2);
  });
});

describe('the shards of a stream', () => {
  it('are replaced by child shards after their lifetime', async () => {
    const database = await startDatabase({ intervalMs: 20, shardLifetimeMs: 300 });
    const { client, streams } = database;
    const StreamArn = await createTable(client, TableName, 'KEYS_ONLY');
    const described = async () => (await streams.describeStream({ StreamArn })).Shards;
    const written: string[] = [];
    await vi.waitFor(
      async () => {
        written.push(`${written.length}`);
        await put(client, written.at(-1)!);
        expect((await described()).length).toBeGreaterThanOrEqual(8);
      },
      { timeout: 10_000, interval: 5 },
    );
    const shards = await described();
    const roots = shards.filter(({ ParentShardId }) => ParentShardId === undefined);
    expect(roots).toHaveLength(2);
    for (const { ShardId, ParentShardId, SequenceNumberRange: range } of shards) {
      expect(ShardId).toMatch(/^shardId-\d{20}-[0-9a-f]{8}$/);
      const parent = shards.find((each) => each.ShardId === ParentShardId);
      const first = BigInt(range.StartingSequenceNumber);
      expect(BigInt(parent?.SequenceNumberRange.EndingSequenceNumber ?? 0)).toBeLessThan(first);
      const request = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
      const numbers = (await readShard(streams, request)).map(sequenceNumberOf);
      const last = BigInt(range.EndingSequenceNumber ?? '9'.repeat(40));
      expect(numbers.filter((number) => number < first || number > last)).toEqual([]);
    }
    expect((await keysOf(database, StreamArn)).toSorted()).toEqual(written.toSorted());
    const closed = roots[0]!.ShardId;
    const latest = { StreamArn, ShardId: closed, ShardIteratorType: 'LATEST' } as const;
    const end = await streams.getRecords({
      ShardIterator: await streams.getShardIterator(latest),
    });
    expect(end).toEqual({ Records: [] });
  });

  it('lose their records after the retention period', async () => {
    const times = { intervalMs: 20, shardLifetimeMs: 60_000, retentionMs: 500 };
    const { client, streams } = await startDatabase(times);
    const StreamArn = await createTable(client, TableName, 'KEYS_ONLY');
    const { Shards } = await streams.describeStream({ StreamArn });
    let puts = 0;
    // Repeat the put if its record expires before it is read.
    const SequenceNumber = await vi.waitFor(async () => {
      await put(client, `old-${puts++}`);
      const [old] = await readStream(streams, StreamArn);
      return old!.dynamodb.SequenceNumber;
    }, 10_000);
    await vi.waitFor(async () => expect(await readStream(streams, StreamArn)).toEqual([]), 10_000);
    const ShardIteratorType = 'AFTER_SEQUENCE_NUMBER' as const;
    const errors = Shards.map(({ ShardId }) =>
      streams
        .getShardIterator({ StreamArn, ShardId, ShardIteratorType, SequenceNumber })
        .catch(({ name }: Error) => name),
    );
    expect(await Promise.all(errors)).toContain('TrimmedDataAccessException');
  });

  it('are deleted when their retention period is over', async () => {
    const times = { intervalMs: 20, shardLifetimeMs: 200, retentionMs: 1_000 };
    const { client, streams } = await startDatabase(times);
    const StreamArn = await createTable(client, TableName, 'KEYS_ONLY');
    const shardIds = async () =>
      (await streams.describeStream({ StreamArn })).Shards.map(({ ShardId }) => ShardId);
    const first = await shardIds();
    await vi.waitFor(async () => {
      const ids = await shardIds();
      for (const id of first) expect(ids).not.toContain(id);
    }, 10_000);
    let puts = 0;
    // Repeat the put if its record expires before it is read.
    await vi.waitFor(async () => {
      const key = `new-${puts++}`;
      await put(client, key);
      expect((await readStream(streams, StreamArn)).map(keyOf)).toContain(key);
    }, 10_000);
  });

  it('are deleted after the retention period of a disabled stream', async () => {
    const database = await startDatabase({ intervalMs: 20, retentionMs: 300 });
    const StreamArn = await createTable(database.client, TableName, 'KEYS_ONLY');
    await update(database, { StreamEnabled: false });
    await database.streams.describeStream({ StreamArn });
    await vi.waitFor(async () => {
      expect(await database.streams.send('ListStreams', {})).toEqual({ Streams: [] });
    }, 10_000);
    await expect(database.streams.describeStream({ StreamArn })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
