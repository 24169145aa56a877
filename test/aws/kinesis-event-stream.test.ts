import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  type KinesisClient,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Kinesis, kinesis } from '../../src/aws/client/kinesis.ts';
import { inRounds, KinesisEventStream } from '../../src/aws/kinesis-event-stream.ts';
import { kinesisClient } from '../../src/local/aws-clients.ts';
import { createStreams } from '../../src/local/deploy/create-streams.ts';
import { type Endpoint, startKinesis } from '../../src/local/endpoints/index.ts';
import type { OutgoingRecord } from '../../src/service/ports.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { serviceAt } from '../support/service-at.ts';

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

  /** What is on the stream, shard by shard, each in its order. */
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

  it('keeps the order of each key, whatever is mixed with it', async () => {
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

  it('puts more records than a request takes', async () => {
    await stream.put(Array.from({ length: 1_234 }, (_, i) => recordOf(`key-${i}`, `${i}`)));
    const found = (await everything()).map(({ Data }) => Number(text(Data)));
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_234 }, (_, i) => i));
  });

  it('puts more bytes than a request takes', async () => {
    const data = Buffer.alloc(250 * 1024, 'x');
    await stream.put(Array.from({ length: 25 }, (_, i) => ({ partitionKey: `key-${i}`, data })));
    const found = await everything();
    expect(found.map(({ Data }) => Data!.byteLength)).toEqual(Array(25).fill(data.byteLength));
  });

  it('puts any bytes, and none', async () => {
    const all = [Uint8Array.of(0, 255, 128, 200), new Uint8Array()];
    await stream.put(all.map((data) => ({ partitionKey: 'bytes', data })));
    expect((await everything()).map(({ Data }) => [...Data!])).toEqual(
      all.map((data) => [...data]),
    );
  });

  it('has nothing to do for no records', async () => {
    await stream.put([]);
    expect(await everything()).toEqual([]);
  });

  it('says when there is no such stream', async () => {
    const nowhere = new KinesisEventStream(toPut, 'nowhere');
    await expect(nowhere.put([recordOf('a', '1')])).rejects.toThrow(/nowhere/);
  });
});

describe('KinesisEventStream, when records are refused', () => {
  const clock = new ManualClock();
  /** What was taken, in order; and how many requests there were. */
  let taken: string[];
  let requests: number;

  /** A stream that takes a record only when it may. */
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

  it('puts those again, and only those', async () => {
    const stream = streamThat((record, request) => record === 'a1' || request === 3);
    await clock.runUntil(stream.put(records('a1', 'b1', 'c1')));
    expect(taken).toEqual(['a1', 'b1', 'c1']);
    expect(requests).toBe(3);
  });

  it('puts what comes later of the same key only when the earlier is taken', async () => {
    const refusals = fc.array(fc.boolean(), { maxLength: 30 });
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(keys, refusals, async (order, refused) => {
        const all = records(...order.map((key, i) => `${key}${i}`));
        let asked = 0;
        // Never refused so often that it is given up.
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

  it('gives up in the end, says how far it got, and puts nothing of what comes later', async () => {
    const stream = streamThat((record) => record !== 'b2');
    const put = stream.put(records('a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'b4'));
    await expect(clock.runUntil(put)).rejects.toThrow(
      /took 3 of 7 records: ProvisionedThroughputExceededException too fast/,
    );
    expect(taken).toEqual(['a1', 'b1', 'a2']);
  });

  it('waits longer each time', async () => {
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

describe('inRounds', () => {
  const record = fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'é🚲'), fc.constantFrom(0, 1, 900_000, 2_500_000))
    .map(([partitionKey, size]) => ({ partitionKey, data: new Uint8Array(size) }));

  it('loses nothing and keeps the order of each key, with no key twice in a round', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), (records) => {
        const rounds = inRounds(records);
        const keyOf = ({ partitionKey }: OutgoingRecord) => partitionKey;
        // The very same records: they are compared one by one.
        const after = Map.groupBy(rounds.flat(), keyOf);
        for (const [key, before] of Map.groupBy(records, keyOf))
          expect(after.get(key)?.every((each, i) => each === before[i])).toBe(true);
        expect(rounds.flat()).toHaveLength(records.length);
        for (const round of rounds) {
          expect(new Set(round.map(keyOf)).size).toBe(round.length);
          const bytes = round.reduce((sum, { data }) => sum + data.byteLength + 16, 0);
          expect(bytes).toBeLessThanOrEqual(10 * 1024 * 1024);
        }
      }),
    );
  });

  it('lets those of one moment stand together, and none behind them get ahead', () => {
    const timed = fc
      .tuple(record, fc.constantFrom('1', '2', undefined))
      .map(([each, moment]) => ({ ...each, moment }));
    fc.assert(
      fc.property(fc.array(timed, { maxLength: 40 }), (records) => {
        const rounds = inRounds(records);
        expect(rounds.flat()).toHaveLength(records.length);
        const roundOf = new Map(rounds.flatMap((round, n) => round.map((each) => [each, n])));
        for (const [, ofKey] of Map.groupBy(records, ({ partitionKey }) => partitionKey)) {
          // Up to the latest change of moment everything has to be in an earlier round.
          let ahead = -1;
          let latest = -1;
          for (const [n, each] of ofKey.entries()) {
            if (n > 0 && (each.moment === undefined || each.moment !== ofKey[n - 1]!.moment))
              ahead = latest;
            expect(roundOf.get(each)).toBeGreaterThan(ahead);
            latest = Math.max(latest, roundOf.get(each)!);
          }
        }
      }),
    );
    // The small one fits in front of what is larger, and what is later still comes behind both.
    const mixed = [2_500_000, 2_500_000, 2_500_000, 1, 1].map((size, i) => ({
      partitionKey: 'a',
      data: new Uint8Array(size),
      moment: i < 4 ? 'sooner' : 'later',
    }));
    expect(inRounds(mixed).map((round) => round.length)).toEqual([3, 1, 1]);
    const ofOne = Array.from({ length: 700 }, (_, i) => ({
      ...recordOf('a', `${i}`),
      moment: i < 650 ? 'sooner' : 'later',
    }));
    expect(inRounds(ofOne).map((round) => round.length)).toEqual([500, 150, 50]);
  });

  it('makes as few requests as the limits allow', () => {
    const keys = (count: number, size: number) =>
      Array.from({ length: count }, (_, i) => ({
        partitionKey: `${i}`,
        data: new Uint8Array(size),
      }));
    expect(inRounds(keys(500, 10)).map((round) => round.length)).toEqual([500]);
    expect(inRounds(keys(1_001, 10)).map((round) => round.length)).toEqual([500, 500, 1]);
    expect(inRounds([...keys(3, 10), ...keys(3, 10)]).map((round) => round.length)).toEqual([3, 3]);
    expect(inRounds([])).toEqual([]);
  });

  it('has a record that is larger than a round in one of its own', () => {
    const large = { partitionKey: 'a', data: new Uint8Array(9 * 1024 * 1024) };
    const small = recordOf('b', 'small');
    expect(inRounds([small, large, small]).map((round) => round.length)).toEqual([1, 1, 1]);
  });
});
