import { beforeEach, describe, expect, it } from 'vitest';
import { AggregatingStream } from '../../../src/aws/stream/aggregating-stream.ts';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import type { OutgoingRecord } from '../../../src/stream/event-stream.ts';
import { RecordsRefusedError } from '../../../src/stream/records-refused-error.ts';
import { SignedStream } from '../../../src/stream/signing/signed-stream.ts';
import { EventStreamInMemory } from '../../support/aws-in-memory/event-stream-in-memory.ts';
import { macsOf } from '../../support/data/event-macs.ts';

let inner: EventStreamInMemory;
let stream: AggregatingStream;
beforeEach(() => {
  inner = new EventStreamInMemory();
  stream = new AggregatingStream(inner);
});

/** Returns records from one sender to one receiver. */
const recordsTo = (partitionKey: string, count: number, more: object = {}): OutgoingRecord[] =>
  Array.from({ length: count }, (_, n) => ({
    partitionKey,
    sender: 'milepost:a/1',
    data: Buffer.from(JSON.stringify({ id: `1.0.${n}`, type: 'told', to: partitionKey, ...more })),
  }));

const textOf = (data: Uint8Array) => Buffer.from(data).toString();

/** The user records on the stream, in order. */
const received = () =>
  inner.records.flatMap(({ partitionKey, data }, n) => {
    const position = { shard: 's', sequence: String(n + 1) };
    const { records, refused } = userRecords({
      ...{ recordId: `s:${n}`, position, arrivedAt: 0 },
      ...{ partitionKey, data },
    });
    expect(refused).toBeUndefined();
    return records;
  });

describe('an aggregating stream', () => {
  it('puts 2,000 signed events from one sender to one receiver in order, with 2 requests instead of 2,000', async () => {
    const records = recordsTo('T1', 2_000);
    const macs = macsOf();
    await new SignedStream(inner, macs).put(records);
    expect(inner.kinesis.requests).toHaveLength(2_000);
    const plain = inner.kinesis.records.splice(0).map(({ data }) => textOf(data));
    inner.kinesis.requests.length = 0;

    await new SignedStream(stream, macs).put(records);
    expect(inner.kinesis.requests).toEqual([1, 1]);
    expect(received().map(({ data }) => textOf(data))).toEqual(plain);
    for (const { data, partitionKey } of received()) {
      expect(await macs.findFlaw(data)).toBeUndefined();
      expect(partitionKey).toBe('T1');
    }
  });

  it('does not aggregate a few events to each of many receivers, or 100 events to one receiver', async () => {
    const records = Array.from({ length: 50 }, (_, n) => recordsTo(`T${n}`, n === 0 ? 100 : 3));
    await stream.put(records.flat());
    expect(inner.records).toHaveLength(100 + 49 * 3);
    expect(inner.events).toContainEqual({ id: '1.0.99', type: 'told', to: 'T0' });
  });

  it('keeps records within the limits of Kinesis, even for large events and a key of the maximum length', async () => {
    const key = '🚲'.repeat(256);
    const sizes = [200, 250_000, 40, 100_000];
    const records = sizes.flatMap((size) =>
      recordsTo(key, size > 1_000 ? 3 : 120, { filler: 'x'.repeat(size) }),
    );
    await stream.put(records);
    expect(received().map(({ data }) => textOf(data))).toEqual(
      records.map(({ data }) => textOf(data)),
    );
    for (const { data } of inner.records) expect(data.byteLength).toBeLessThan(600_000);
  });

  it('reports the rejected events and the later events to the same receiver', async () => {
    const records = recordsTo('T1', 2_500);
    const others = recordsTo('T2', 3);
    let accepted = 0;
    inner.kinesis.refuses = ({ partitionKey }) => partitionKey === 'T1' && ++accepted > 1;
    const failure = await stream.put([...records, ...others]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RecordsRefusedError);
    const { refused } = failure as RecordsRefusedError;
    expect([...refused]).toEqual(records.slice(1_000));
  });

  it('passes on other errors', async () => {
    inner.kinesis.failure = new Error('outage');
    await expect(stream.put(recordsTo('T1', 200))).rejects.toThrow('outage');
  });
});
