import { describe, expect, it } from 'vitest';
import { KinesisReadClient } from '../../../src/aws-local/event-source/kinesis-read-client.ts';
import { KinesisShardReader } from '../../../src/aws-local/event-source/kinesis-shard-reader.ts';
import type { ShardCursor, ShardPosition } from '../../../src/aws-local/event-source/shards.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { onlyShard } from './harness.ts';

const neverAborted = new AbortController().signal;
const afterFirst: ShardPosition = { at: 'AFTER_SEQUENCE_NUMBER', sequenceNumber: '1' };
const afterThird: ShardPosition = { at: 'AFTER_SEQUENCE_NUMBER', sequenceNumber: '3' };

function named(name: string): Error {
  return Object.assign(new Error(`${name} it is`), { name });
}

interface Request {
  readonly call: string;
  readonly input: { readonly ShardIterator?: string; readonly ShardIteratorType?: string };
}

/** A fake Kinesis that returns the given responses in turn and records the requests. */
class ScriptedKinesis {
  readonly requests: Request[] = [];
  readonly logged: string[] = [];
  readonly clock = new ManualClock();
  readonly #answers: (object | (() => Promise<object>))[];

  constructor(...answers: (object | (() => Promise<object>))[]) {
    this.#answers = answers;
  }

  get reader(): KinesisShardReader {
    const client = new KinesisReadClient('http://127.0.0.1:0');
    client.send = async <Response>(
      call: string,
      input: object,
      abortSignal: AbortSignal = neverAborted,
    ) => {
      this.requests.push({ call, input });
      const answer = this.#answers.shift();
      if (answer instanceof Error) throw answer;
      if (answer === undefined) {
        return new Promise<Response>((_, reject) => {
          abortSignal.addEventListener('abort', () => reject(named('AbortError')));
        });
      }
      return answer as Response;
    };
    return new KinesisShardReader({
      client,
      streamName: 'milepost-events',
      clock: this.clock,
      log: (message) => this.logged.push(message),
    });
  }

  open(position: ShardPosition): ShardCursor {
    return this.reader.open(onlyShard, position);
  }

  get calls(): readonly string[] {
    return this.requests.map(({ call, input }) => {
      const { ShardIterator, ShardIteratorType } = input;
      return `${call} ${ShardIterator ?? ShardIteratorType ?? ''}`.trim();
    });
  }
}

const iterator = (name: string) => ({ ShardIterator: name });
const page = (next: string | undefined, ...sequenceNumbers: string[]) => ({
  NextShardIterator: next,
  MillisBehindLatest: 0,
  Records: sequenceNumbers.map((SequenceNumber) => ({
    SequenceNumber,
    PartitionKey: 'a',
    Data: Buffer.from('x').toString('base64'),
    ApproximateArrivalTimestamp: 1.234,
  })),
});

describe('KinesisShardReader', () => {
  it('lists all pages of shards with their parents', async () => {
    const kinesis = new ScriptedKinesis(
      { Shards: [{ ShardId: 'a' }], NextToken: 'more' },
      { Shards: [{ ShardId: 'b', ParentShardId: 'a', AdjacentParentShardId: 'z' }] },
    );
    expect(await kinesis.reader.listShards(neverAborted)).toEqual([
      { id: 'a' },
      { id: 'b', parentId: 'a', adjacentParentId: 'z' },
    ]);
    expect(kinesis.requests.map(({ input }) => input)).toEqual([
      { StreamName: 'milepost-events' },
      { NextToken: 'more' },
    ]);
  });

  it.each<[ShardPosition, object]>([
    [{ at: 'TRIM_HORIZON' }, { ShardIteratorType: 'TRIM_HORIZON' }],
    [{ at: 'LATEST' }, { ShardIteratorType: 'LATEST' }],
    [
      { at: 'AT_TIMESTAMP', timestamp: 1500 },
      { ShardIteratorType: 'AT_TIMESTAMP', Timestamp: 1.5 },
    ],
    [afterFirst, { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', StartingSequenceNumber: '1' }],
  ])('starts at the position %j', async (position, input) => {
    const kinesis = new ScriptedKinesis(iterator('i'), page('j'));
    await kinesis.open(position).read(10, neverAborted);
    expect(kinesis.requests[0]?.input).toEqual({
      StreamName: 'milepost-events',
      ShardId: onlyShard,
      ...input,
    });
  });

  it('reads all pages until the shard is closed', async () => {
    const kinesis = new ScriptedKinesis(iterator('i'), page('j', '2'), page(undefined, '3'));
    const cursor = kinesis.open(afterFirst);
    expect(await cursor.read(10, neverAborted)).toEqual({
      records: [
        { sequenceNumber: '2', partitionKey: 'a', data: Buffer.from('x'), arrivedAt: 1234 },
      ],
      closed: false,
      isAtTip: true,
    });
    expect(await cursor.read(7, neverAborted)).toMatchObject({ closed: true });
    expect(kinesis.requests.slice(1).map(({ input }) => input)).toEqual([
      { ShardIterator: 'i', Limit: 10 },
      { ShardIterator: 'j', Limit: 7 },
    ]);
  });

  it('throws throttling errors, and then reads from the same position', async () => {
    const kinesis = new ScriptedKinesis(
      named('ProvisionedThroughputExceededException'),
      iterator('i'),
      named('ProvisionedThroughputExceededException'),
      page('j', '2'),
    );
    const cursor = kinesis.open(afterFirst);
    await expect(cursor.read(10, neverAborted)).rejects.toThrow('ProvisionedThroughput');
    await expect(cursor.read(10, neverAborted)).rejects.toThrow('ProvisionedThroughput');
    expect((await cursor.read(10, neverAborted)).records).toHaveLength(1);
    expect(kinesis.calls.slice(1)).toEqual([
      'GetShardIterator AFTER_SEQUENCE_NUMBER',
      'GetRecords i',
      'GetRecords i',
    ]);
  });

  it.each(['ExpiredIteratorException', 'InvalidArgumentException'])(
    'gets a new iterator at the same position on %s',
    async (name) => {
      const kinesis = new ScriptedKinesis(
        iterator('i'),
        page('j', '2', '3'),
        named(name),
        iterator('k'),
        page('l', '4'),
      );
      const cursor = kinesis.open(afterFirst);
      await cursor.read(10, neverAborted);
      expect((await cursor.read(10, neverAborted)).records).toMatchObject([
        { sequenceNumber: '4' },
      ]);
      expect(kinesis.requests[3]?.input).toMatchObject({
        ShardIteratorType: afterThird.at,
        StartingSequenceNumber: '3',
      });
    },
  );

  it('continues at the time of the first LATEST request when the iterator expires', async () => {
    const kinesis = new ScriptedKinesis(
      iterator('i'),
      page('j'),
      named('ExpiredIteratorException'),
      iterator('k'),
      page('l'),
    );
    const askedAt = kinesis.clock.now();
    const cursor = kinesis.open({ at: 'LATEST' });
    await cursor.read(10, neverAborted);
    await kinesis.clock.advance(600_000);
    await cursor.read(10, neverAborted);
    expect(kinesis.requests[3]?.input).toMatchObject({
      ShardIteratorType: 'AT_TIMESTAMP',
      Timestamp: askedAt / 1000,
    });
  });

  it('reads from TRIM_HORIZON and logs a message if the stream does not recognize the checkpoint', async () => {
    const kinesis = new ScriptedKinesis(
      named('InvalidArgumentException'),
      iterator('i'),
      page('j', '2'),
    );
    expect((await kinesis.open(afterFirst).read(10, neverAborted)).records).toHaveLength(1);
    expect(kinesis.calls).toEqual([
      'GetShardIterator AFTER_SEQUENCE_NUMBER',
      'GetShardIterator TRIM_HORIZON',
      'GetRecords i',
    ]);
    expect(kinesis.logged.join()).toContain('TRIM_HORIZON');
  });

  it('treats a shard as read to its end if the stream no longer lists the shard', async () => {
    const kinesis = new ScriptedKinesis(named('ResourceNotFoundException'), {
      Shards: [{ ShardId: 'another' }],
    });
    expect(await kinesis.open(afterFirst).read(10, neverAborted)).toMatchObject({ closed: true });
  });

  it('does not treat a shard as read to its end if the stream itself is missing', async () => {
    const kinesis = new ScriptedKinesis(
      named('ResourceNotFoundException'),
      named('ResourceNotFoundException'),
    );
    await expect(kinesis.open(afterFirst).read(10, neverAborted)).rejects.toThrow(
      'ResourceNotFound',
    );
  });

  it('aborts a request after a timeout and repeats the request at the next read', async () => {
    const kinesis = new ScriptedKinesis();
    const cursor = kinesis.open(afterFirst);
    await expect(kinesis.clock.runUntil(cursor.read(10, neverAborted))).rejects.toThrow(
      'no response within 10 seconds',
    );
    await expect(kinesis.clock.runUntil(cursor.read(10, neverAborted))).rejects.toThrow(
      'no response within 10 seconds',
    );
    expect(kinesis.calls).toHaveLength(2);
  });

  it('aborts a request when the signal aborts', async () => {
    const kinesis = new ScriptedKinesis();
    const stopping = new AbortController();
    const read = kinesis.open(afterFirst).read(10, stopping.signal);
    stopping.abort();
    await expect(read).rejects.toThrow('AbortError');
  });

  it('throws an error for data that is not Base64, and keeps its position', async () => {
    const data = { type: 'Buffer', data: [104, 105] };
    const wrong = page('b', '1');
    const kinesis = new ScriptedKinesis(
      iterator('a'),
      { ...wrong, Records: wrong.Records.map((record) => ({ ...record, Data: data })) },
      page('b', '1'),
    );
    const cursor = kinesis.open({ at: 'TRIM_HORIZON' });
    await expect(cursor.read(10, neverAborted)).rejects.toThrow(
      'the data of the record 1 must be base64; got {"type":"Buffer","data":[104,105]}',
    );
    expect((await cursor.read(10, neverAborted)).records).toHaveLength(1);
    expect(kinesis.calls).toEqual([
      'GetShardIterator TRIM_HORIZON',
      'GetRecords a',
      'GetRecords a',
    ]);
  });
});
