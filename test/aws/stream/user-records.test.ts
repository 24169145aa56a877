import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { userRecords } from '../../../src/aws/stream/user-records.ts';
import type { StreamRecord } from '../../../src/stream/stream-record.ts';
import {
  aggregate,
  bytesField,
  numberField,
  sealed,
  type UserRecord,
} from '../../support/data/aggregate.ts';

const record = (data: Uint8Array): StreamRecord => ({
  recordId: 'shardId-000000000000:4954',
  position: { shard: 'shardId-000000000000', sequence: '4954' },
  partitionKey: 'a',
  arrivedAt: 1_767_225_600_000,
  data,
});

/** The expected result if no user record can be read. */
const refusal = (why: string) => ({
  records: [],
  refused: { record: expect.anything(), reason: expect.stringContaining(why) },
});

const someText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const userRecord: fc.Arbitrary<UserRecord> = fc.record(
  {
    partitionKey: someText,
    data: fc.uint8Array({ maxLength: 300 }),
    explicitHashKey: fc.bigInt(0n, 2n ** 128n - 1n).map(String),
    tags: fc.array(fc.record({ key: someText, value: someText }, { requiredKeys: ['key'] }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: ['partitionKey', 'data'] },
);
const list = fc.array(userRecord, { minLength: 1, maxLength: 40 });

describe('an aggregated record of the Kinesis Producer Library', () => {
  it('is split into its user records, each with a unique id and the arrival time of the record', () => {
    fc.assert(
      fc.property(list, (put) => {
        const whole = record(aggregate(put));
        const read = userRecords(whole);
        expect(read.refused).toBeUndefined();
        expect(
          read.records.map(({ partitionKey, data }) => [partitionKey, Buffer.from(data)]),
        ).toEqual(put.map(({ partitionKey, data }) => [partitionKey, Buffer.from(data)]));
        expect(new Set(read.records.map(({ recordId: eventId }) => eventId)).size).toBe(put.length);
        for (const { aggregatedRecord: within, arrivedAt, position } of read.records)
          expect([within, arrivedAt, position.shard]).toEqual([
            whole,
            whole.arrivedAt,
            whole.position.shard,
          ]);
      }),
    );
  });

  it('is rejected with a reason if it is truncated or a byte changes', () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    const change = fc.tuple(list, place, fc.integer({ min: 1, max: 255 }), fc.boolean());
    fc.assert(
      fc.property(change, ([put, where, mask, isCut]) => {
        const bytes = aggregate(put);
        const at = Math.max(4, Math.floor(where * bytes.length));
        if (!isCut) bytes[at]! ^= mask;
        const read = userRecords(record(isCut ? bytes.subarray(0, at) : bytes));
        expect(read).toMatchObject(refusal('checksum'));
      }),
    );
  });

  it('is split or rejected with a reason if its checksum is valid, regardless of its other bytes', () => {
    const near = fc
      .tuple(list, fc.uint8Array({ maxLength: 8 }), fc.nat(2_000))
      .map(([put, noise, at]) => {
        const message = aggregate(put).subarray(4, -16);
        const from = at % (message.length + 1);
        return Buffer.concat([message.subarray(0, from), noise, message.subarray(from)]);
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), near), (message) => {
        const read = userRecords(record(sealed(message)));
        const came = read.refused
          ? read.refused.reason.startsWith('aggregated, but ')
          : read.records.length > 0;
        expect(came).toBe(true);
      }),
    );
  });

  const key = bytesField(1, Buffer.from('key'));
  const data = bytesField(3, Buffer.from('{}'));
  it.each([
    ['no content', Buffer.alloc(0), 'it contains no user records'],
    ['only keys', key, 'it contains no user records'],
    [
      'a missing partition key',
      [key, bytesField(3, Buffer.concat([numberField(1, 1), data]))],
      'a user record has no partition key',
    ],
    ['no data', [key, bytesField(3, numberField(1, 0))], 'a user record has no data'],
    [
      'an empty partition key',
      [bytesField(1, Buffer.alloc(0)), bytesField(3, Buffer.concat([numberField(1, 0), data]))],
      'a partition key is not text of 1 to 256 characters',
    ],
    [
      'a field that is too long',
      Buffer.from([0x0a, 0x7f, 0x61]),
      'a field is longer than the remaining bytes',
    ],
    ['a truncated number', Buffer.from([0x08, 0xff]), 'a varint is truncated'],
    ['a Protocol Buffers group', Buffer.from([0x0b]), 'a field has the unsupported wire type 3'],
  ])('is rejected with a reason if it has %s', (_, message, reason) => {
    const bytes = Array.isArray(message) ? Buffer.concat(message) : message;
    const read = userRecords(record(sealed(bytes)));
    expect(read).toMatchObject(refusal(reason));
  });

  const event = (id: string) =>
    Buffer.from(`{"id":"${id}","type":"t","modelid":"m","transactionid":"t"}`);
  const together = (parts: readonly Uint8Array[]) =>
    userRecords(record(aggregate(parts.map((part) => ({ partitionKey: 'key', data: part })))));

  it('can contain up to 100 user records that are too short for an event', () => {
    const short = Array.from({ length: 100 }, () => Buffer.from('x'));
    const read = together([event('1'), ...short]);
    expect(read.refused).toBeUndefined();
    expect(read.records).toHaveLength(101);
  });

  it('is rejected if more than 100 user records are too short for an event, but its events are still read', () => {
    const short = Array.from({ length: 101 }, () => Buffer.from('x'));
    const read = together([event('1'), ...short, event('2')]);
    expect(read).toMatchObject({
      refused: { reason: 'aggregated, but 101 of its 103 user records are too short for an event' },
      records: [
        { data: event('1'), position: { sequence: '4954.00000000' } },
        { data: event('2'), position: { sequence: '4954.00000102' } },
      ],
    });
  });

  it('can contain any number of events of the minimum size', () => {
    const read = together(Array.from({ length: 1000 }, () => event('1')));
    expect(read.refused).toBeUndefined();
    expect(read.records).toHaveLength(1000);
  });

  it('can have unknown fields, which later versions of the library could add', () => {
    const known = bytesField(3, Buffer.concat([numberField(1, 0), data, numberField(9, 7)]));
    const fixed = Buffer.from([0x51, 1, 2, 3, 4, 5, 6, 7, 8, 0x55, 1, 2, 3, 4]);
    const read = userRecords(record(sealed(Buffer.concat([fixed, key, known]))));
    expect(read).toMatchObject({ records: [{ partitionKey: 'key' }] });
    expect(read.refused).toBeUndefined();
  });
});

it('userRecords returns a record unchanged if it is not aggregated', () => {
  const plain = record(Buffer.from('{"id":"e1"}'));
  expect(userRecords(plain)).toEqual({ records: [plain] });
  const short = record(Buffer.from('f3899a', 'hex'));
  expect(userRecords(short)).toEqual({ records: [short] });
});
