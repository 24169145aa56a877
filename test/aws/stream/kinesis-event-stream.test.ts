import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  type KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kinesis, kinesis } from '../../../src/aws/client/kinesis.ts';
import { KinesisEventStream } from '../../../src/aws/stream/kinesis-event-stream.ts';
import { type Endpoint, startKinesis } from '../../../src/aws-local/endpoints/index.ts';
import { createStreams } from '../../../src/local/deploy/create-streams.ts';
import { kinesisClient } from '../../../src/local/running/aws-clients.ts';
import type { OutgoingRecord } from '../../../src/stream/event-stream.ts';
import { RecordsRefusedError } from '../../../src/stream/records-refused-error.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { serviceAt } from '../../support/service/service-at.ts';

const text = (data: Uint8Array | undefined) => new TextDecoder().decode(data);
const recordOf = (partitionKey: string, data: string): OutgoingRecord => ({
  partitionKey,
  data: new TextEncoder().encode(data),
});

function byKey<Value>(records: readonly Value[], keyOf: (record: Value) => string) {
  return Object.fromEntries(Map.groupBy(records, keyOf));
}

describe('KinesisEventStream', () => {
  let endpoint: Endpoint;
  let client: KinesisClient;
  let toPut: Kinesis;
  let stream: KinesisEventStream;
  let streams = 0;
  beforeAll(async () => {
    endpoint = await startKinesis({ port: 0, dataFolder: null });
    client = kinesisClient(endpoint.url);
    toPut = kinesis(serviceAt(endpoint.url));
  });
  afterAll(async () => {
    client.destroy();
    await endpoint.close();
  });
  beforeEach(async () => {
    const name = `stream-${++streams}`;
    await createStreams(client, [{ name, arn: name }]);
    stream = new KinesisEventStream(toPut, name);
  });

  /** Reads all records of the stream, shard by shard, in order. */
  async function everything() {
    const StreamName = `stream-${streams}`;
    const { Shards } = await client.send(new ListShardsCommand({ StreamName }));
    const shards = Shards!.map(async ({ ShardId }) => {
      const { ShardIterator } = await client.send(
        new GetShardIteratorCommand({ StreamName, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
      );
      const { Records } = await client.send(new GetRecordsCommand({ ShardIterator }));
      return Records!;
    });
    return (await Promise.all(shards)).flat();
  }

  it('keeps the order of the records of each key, regardless of how the keys are mixed', async () => {
    const records = Array.from({ length: 300 }, (_, i) => [
      recordOf('hot', `hot ${i}`),
      ...(i % 2 === 0 ? [recordOf(`warm-${i % 10}`, `warm ${i}`)] : []),
      ...(i % 3 === 0 ? [recordOf(`cold-${i} 🚲`, 'cold')] : []),
    ]).flat();
    await stream.put(records);
    const found = await everything();
    expect(
      byKey(
        found.map(({ PartitionKey, Data }) => ({ key: PartitionKey!, data: text(Data) })),
        ({ key }) => key,
      ),
    ).toEqual(
      byKey(
        records.map(({ partitionKey, data }) => ({ key: partitionKey, data: text(data) })),
        ({ key }) => key,
      ),
    );
  });

  it('puts records in several requests if there are too many for one request', async () => {
    await stream.put(Array.from({ length: 1_234 }, (_, i) => recordOf(`key-${i}`, `${i}`)));
    const found = (await everything()).map(({ Data }) => Number(text(Data)));
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_234 }, (_, i) => i));
  });

  it('puts records in several requests if they are too large for one request', async () => {
    const data = Buffer.alloc(250 * 1024, 'x');
    await stream.put(Array.from({ length: 25 }, (_, i) => ({ partitionKey: `key-${i}`, data })));
    const found = await everything();
    expect(found.map(({ Data }) => Data!.byteLength)).toEqual(Array(25).fill(data.byteLength));
  });

  it('puts records with arbitrary bytes and a record without bytes', async () => {
    const all = [Uint8Array.of(0, 255, 128, 200), new Uint8Array()];
    await stream.put(all.map((data) => ({ partitionKey: 'bytes', data })));
    expect((await everything()).map(({ Data }) => [...Data!])).toEqual(
      all.map((data) => [...data]),
    );
  });

  it('sends no request if there are no records', async () => {
    await stream.put([]);
    expect(await everything()).toEqual([]);
  });

  it('throws an error that names the stream if the stream does not exist', async () => {
    const nowhere = new KinesisEventStream(toPut, 'nowhere');
    await expect(nowhere.put([recordOf('a', '1')])).rejects.toThrow(/nowhere/);
  });
});

describe('KinesisEventStream with rejected records', () => {
  const clock = new ManualClock();
  /** The accepted records in order. */
  let taken: string[];
  let requests: number;

  /** A fake stream that accepts a record only if `takes` returns true. */
  function streamThat(takes: (record: string, request: number) => boolean): KinesisEventStream {
    taken = [];
    requests = 0;
    const client: Kinesis = {
      putRecords({ Records }) {
        requests++;
        const results = Records!.map(({ Data }) => {
          if (takes(text(Data), requests)) {
            taken.push(text(Data));
            return { SequenceNumber: '1', ShardId: 'shardId-000000000000' };
          }
          return { ErrorCode: 'ProvisionedThroughputExceededException', ErrorMessage: 'too fast' };
        });
        return Promise.resolve({ Records: results });
      },
    };
    return new KinesisEventStream(client, 'events', clock);
  }

  const records = (...all: string[]) => all.map((name) => recordOf(name[0]!, name));

  it('retries only the rejected records', async () => {
    const stream = streamThat((record, request) => record === 'a1' || request === 3);
    await clock.runUntil(stream.put(records('a1', 'b1', 'c1')));
    expect(taken).toEqual(['a1', 'b1', 'c1']);
    expect(requests).toBe(3);
  });

  it('puts the later records of a key only after the earlier records are accepted', async () => {
    const refusals = fc.array(fc.boolean(), { maxLength: 30 });
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(keys, refusals, async (order, refused) => {
        const all = records(...order.map((key, i) => `${key}${i}`));
        let asked = 0;
        // No record is rejected so often that the stream gives up on it.
        const stream = streamThat((_, request) => request % 4 === 0 || !refused[asked++]);
        await clock.runUntil(stream.put(all));
        const first = (name: string) => name[0]!;
        expect(byKey(taken, first)).toEqual(
          byKey(
            all.map(({ data }) => text(data)),
            first,
          ),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('gives up on a record that the stream keeps rejecting and on the later records of its key, and puts all other records', async () => {
    const stream = streamThat((record) => record !== 'b2');
    const all = records('a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'b4');
    const error: unknown = await clock.runUntil(stream.put(all).catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(RecordsRefusedError);
    const { message, code, refused } = error as RecordsRefusedError;
    expect(message).toBe(
      'the stream accepted 4 of 7 records: ProvisionedThroughputExceededException too fast',
    );
    expect(code).toBe('busy');
    expect([...refused].map(({ data }) => text(data))).toEqual(['b2', 'b3', 'b4']);
    expect(taken).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it.each([
    ['no results', { Records: undefined }],
    ['too few results', { Records: [{ SequenceNumber: '1' }] }],
  ])('rejects a response with %s', async (_, answer) => {
    const stream = new KinesisEventStream({ putRecords: async () => answer }, 'events', clock);
    await expect(stream.put(records('a1', 'b1'))).rejects.toThrow(
      /PutRecords returned [01] results for 2 entries/,
    );
  });

  it('increases the delay after each attempt', async () => {
    const began = clock.now();
    const times: number[] = [];
    const stream = streamThat(() => {
      times.push(clock.now() - began);
      return false;
    });
    await clock.runUntil(stream.put(records('a1')).catch(() => undefined));
    const waits = times.slice(1).map((time, i) => time - times[i]!);
    expect(waits.length).toBeGreaterThan(3);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(new Set(waits).size).toBe(waits.length);
  });
});

describe('the requests of KinesisEventStream', () => {
  const clock = new ManualClock();

  /**
   * Puts records on a stream that rejects some of them. Returns the records of each request, and the accepted records.
   */
  async function requestsFor(
    records: readonly OutgoingRecord[],
    isRefused: () => boolean = () => false,
  ): Promise<{ requests: OutgoingRecord[][]; taken: OutgoingRecord[] }> {
    const byBytes = new Map(records.map((record) => [record.data, record]));
    const requests: OutgoingRecord[][] = [];
    const taken: OutgoingRecord[] = [];
    const client: Kinesis = {
      putRecords({ Records }) {
        const request = Records!.map(({ Data }) => byBytes.get(Data!)!);
        requests.push(request);
        const answers = request.map((record) => {
          if (isRefused()) return { ErrorCode: 'ProvisionedThroughputExceededException' };
          taken.push(record);
          return { SequenceNumber: '1' };
        });
        return Promise.resolve({ Records: answers });
      },
    };
    await clock.runUntil(new KinesisEventStream(client, 'events', clock).put(records));
    return { requests, taken };
  }

  const sizes = async (records: readonly OutgoingRecord[]) =>
    (await requestsFor(records)).requests.map((request) => request.length);
  const sized = (size: number, more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
    partitionKey: 'a',
    data: new Uint8Array(size),
    ...more,
  });
  const many = (count: number, more: (i: number) => Partial<OutgoingRecord>) =>
    Array.from({ length: count }, (_, i) => sized(10, more(i)));
  const laneOf = ({ partitionKey, sender }: OutgoingRecord) =>
    JSON.stringify([partitionKey, sender]);
  /** True if the record at index `before` of a lane must be on the stream before the record at index `after` is put. */
  const waits = (lane: readonly OutgoingRecord[], before: number, after: number) =>
    lane
      .slice(before + 1, after + 1)
      .some(({ moment }, i) => moment === undefined || moment !== lane[before + i]!.moment);

  it('combine records from different senders, but contain at most one record from each sender', async () => {
    expect(await sizes(many(500, (i) => ({ sender: `s${i}` })))).toEqual([500]);
    expect(await sizes(many(500, (i) => ({ sender: `s${i % 100}` })))).toEqual(Array(5).fill(100));
    expect(await sizes(many(3, () => ({ sender: 's' })))).toEqual([1, 1, 1]);
  });

  it('contain only the remaining records when the stream repeatedly rejects half of the records from 500 senders', async () => {
    const records = many(500, (i) => ({ sender: `s${i}` }));
    let asked = 0;
    const isRefused = () => asked < 875 && asked++ % 2 === 0;
    const { requests, taken } = await requestsFor(records, isRefused);
    expect(new Set(taken)).toEqual(new Set(records));
    // Only rejected records are retried.
    expect(requests.map((request) => request.length)).toEqual([500, 250, 125, 63]);
  });

  it('keep the order of each sender and partition key and lose no record, regardless of what the stream rejects', async () => {
    const record = fc.record({
      partitionKey: fc.constantFrom('a', 'b', 'é🚲'),
      sender: fc.constantFrom('x', 'y', undefined),
      moment: fc.constantFrom('1', '2', undefined),
      data: fc.constantFrom(0, 1, 900_000, 2_500_000).map((size) => new Uint8Array(size)),
    });
    const refusals = fc.array(fc.boolean(), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 30 }), refusals, async (records, refused) => {
        let asked = 0;
        // No record is rejected so often that the stream gives up on it.
        const isRefused = () => asked++ % 4 !== 3 && (refused[asked] ?? false);
        const { requests, taken } = await requestsFor(records, isRefused);
        expect(taken).toHaveLength(records.length);
        expect(new Set(taken)).toEqual(new Set(records));
        const places = new Map(taken.map((each, n) => [each, n]));
        for (const lane of Map.groupBy(records, laneOf).values())
          for (const [after, each] of lane.entries()) {
            const earlier = lane.slice(0, after).filter((_, before) => waits(lane, before, after));
            const last = Math.max(-1, ...earlier.map((one) => places.get(one)!));
            expect(places.get(each)).toBeGreaterThan(last);
          }
        for (const request of requests) {
          const bytes = request.reduce((sum, { data }) => sum + data.byteLength, 0);
          expect(bytes).toBeLessThanOrEqual(5 * 1024 * 1024);
          // Records of one request must not wait for each other, because PutRecords guarantees no order.
          for (const lane of Map.groupBy(request, laneOf).values())
            expect(lane.some((_, n) => n > 0 && waits(lane, n - 1, n))).toBe(false);
        }
      }),
    );
  });

  it('contain all records of one moment before any record of the next moment', async () => {
    const moments = (i: number) => ({ moment: i < 650 ? 'sooner' : 'later' });
    expect(await sizes(many(700, moments))).toEqual([500, 150, 50]);
    // The small record of the same moment fits into the first request. The record of the later moment must wait for the
    // large records.
    const mixed = [2_500_000, 2_500_000, 2_500_000, 1, 1].map((size, i) =>
      sized(size, { moment: i < 4 ? 'sooner' : 'later' }),
    );
    expect(await sizes(mixed)).toEqual([3, 1, 1]);
  });

  it('are as few as the limits allow', async () => {
    const keys = (count: number) => many(count, (i) => ({ partitionKey: `${i}` }));
    expect(await sizes(keys(500))).toEqual([500]);
    expect(await sizes(keys(1_001))).toEqual([500, 500, 1]);
    expect(await sizes([...keys(3), ...keys(3)])).toEqual([3, 3]);
    expect(await sizes([])).toEqual([]);
  });

  it('contain only one record if that record exceeds the size limit', async () => {
    const b = (size: number) => sized(size, { partitionKey: 'b' });
    expect(await sizes([b(1), sized(9 * 1024 * 1024), b(2)])).toEqual([1, 1, 1]);
  });
});
