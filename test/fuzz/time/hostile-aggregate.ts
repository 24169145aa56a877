import fc from 'fast-check';
import { maximumEventBytes } from '../../../src/core/event/event.ts';
import { bytesField, numberField, sealed } from '../../support/data/aggregate.ts';

/** A compact description of an aggregated record (Kinesis Producer Library) that is slow to decode. */
export interface HostileAggregate {
  /** The repeated fields of the message, in order. */
  readonly fields: readonly (keyof typeof messageFields)[];
  /** The data of each user record, if it has data. */
  readonly data: string;
  /** The additional fields in each user record. */
  readonly more: readonly (keyof typeof recordFields)[];
}

const recordFields = {
  index: numberField(1, 0),
  'index out of range': numberField(1, 2 ** 40),
  'hash key': numberField(2, 0),
  'empty data': bytesField(3, Buffer.alloc(0)),
  tag: bytesField(4, Buffer.from('t')),
  unknown: numberField(9, 7),
  group: Buffer.from([0x0b, 0x0c]),
  'too long': Buffer.from([0x1a, 0xff, 0xff, 0xff, 0x7f]),
  'overlong number': Buffer.from([
    0x48, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00,
  ]),
};
const messageFields = {
  key: bytesField(1, Buffer.from('k')),
  'long key': bytesField(1, Buffer.alloc(256, 'k')),
  'empty key': bytesField(1, Buffer.alloc(0)),
  'hash key': bytesField(2, Buffer.from('1')),
  unknown: numberField(9, 7),
  fixed: Buffer.from([0x51, 1, 2, 3, 4, 5, 6, 7, 8]),
  group: Buffer.from([0x0b]),
  'overlong number': recordFields['overlong number'],
  record: Buffer.alloc(0),
};
const rare = ['empty key', 'group', 'too long', 'index out of range'];

const few = <Name extends string>(all: Record<Name, unknown>, maxLength: number) =>
  fc.array(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...namesOf(all).filter((n) => !rare.includes(n))) },
      { weight: 1, arbitrary: fc.constantFrom(...namesOf(all)) },
    ),
    { minLength: 1, maxLength },
  );
const namesOf = <Name extends string>(all: Record<Name, unknown>) => Object.keys(all) as Name[];

/** Records that are slow to decode. Their checksum is valid, so they are decoded completely. */
export const hostileAggregate: fc.Arbitrary<HostileAggregate> = fc.record({
  fields: fc.oneof(fc.constant(['record' as const]), few(messageFields, 3)),
  data: fc.constantFrom(
    ...[
      '',
      'x',
      '{}',
      '{"id":0,"time":0,"type":0,"replyto":0,"source":0,"x":0}',
      '\ud800'.repeat(19),
    ],
    ...['{"id":"#","type":"t","modelid":"m","transactionid":"t"}', `[${'0,'.repeat(27)}x`],
    ...['{"id":"#","type":"t","modelid":"m","transactionid":"t","data":1e1}', 'x'.repeat(56)],
    '{"id":"#","type":"t","modelid":"m","transactionid":"t","__proto__":1}',
  ),
  more: fc.oneof(fc.constant([]), few(recordFields, 2)),
});

/** Returns the bytes of the record, which has almost the maximum size of an event. */
export function aggregateBytesOf({ fields, data, more }: HostileAggregate): Buffer {
  const parts = [messageFields.key];
  let left = maximumEventBytes - 40;
  for (let count = 0; ; count++) {
    const field = fields[count % fields.length]!;
    const part =
      field === 'record' ? recordOf(data.replace('#', String(count)), more) : messageFields[field];
    left -= part.length;
    if (left < 0) return sealed(Buffer.concat(parts));
    parts.push(part);
  }
}

const recordOf = (data: string, more: HostileAggregate['more']) =>
  bytesField(
    3,
    Buffer.concat([
      recordFields.index,
      ...more.map((name) => recordFields[name]),
      bytesField(3, Buffer.from(data)),
    ]),
  );
