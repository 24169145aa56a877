import { hash } from 'node:crypto';
import { minimumEventBytes } from '../../core/event/event.ts';
import { sequenceInRecord } from '../../core/history/sequence.ts';
import type { UserRecords } from '../../dispatcher/decode-records.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';
import { MalformedMessage, readFields } from './protobuf.ts';

/** What an aggregated record starts with. No text in UTF-8 does. */
const magic = Buffer.from('f3899ac2', 'hex');
const digestBytes = 16;
/**
 * How many parts that are too short for an event each stand for themselves. A record has room for tens of
 * thousands, and a dead letter for each would hold up the records behind it for minutes.
 */
const maximumShortParts = 100;

/** The numbers of the fields of `AggregatedRecord`, and of a `Record` in it. */
const fieldsOf = {
  aggregated: { partitionKey: 1, record: 3 },
  record: { partitionKeyIndex: 1, data: 3 },
} as const;

/**
 * Takes a record of the Kinesis Producer Library apart, which puts several into one; any other
 * record stays as it is. Each keeps what names it: its dead letter and its place in an instance's
 * history are the same whenever the record is delivered again.
 *
 * Where more than 100 parts are too short for an event, these are left out and the whole record is refused
 * for them, so that one dead letter keeps them all.
 *
 * The format is one small message of Protocol Buffers, read here by hand: `aws-kinesis-agg` would
 * bring all of protobufjs into the dispatcher, which is 14 KB compressed without it.
 *
 * @see https://github.com/awslabs/amazon-kinesis-producer/blob/master/aggregation-format.md
 */
export function userRecords(record: StreamRecord): UserRecords {
  const bytes = Buffer.from(record.data.buffer, record.data.byteOffset, record.data.byteLength);
  if (!bytes.subarray(0, magic.length).equals(magic)) return { records: [record] };
  const refused = (why: string, records: readonly StreamRecord[] = []): UserRecords => ({
    records,
    refused: { record, reason: `aggregated, but ${why}` },
  });
  if (bytes.length < magic.length + digestBytes) return refused('too short for its checksum');
  const message = bytes.subarray(magic.length, -digestBytes);
  if (!hash('md5', message, 'buffer').equals(bytes.subarray(-digestBytes)))
    return refused('its checksum is not right');
  try {
    const parts = readAggregated(message);
    if (parts.length === 0) return refused('there are no events in it');
    const short = parts.filter(isTooShort).length;
    if (short <= maximumShortParts) return { records: parts.map((part) => asRecord(part, record)) };
    const others = parts.filter((part) => !isTooShort(part));
    return refused(
      `${short} of its ${parts.length} records are too short for an event`,
      others.map((part) => asRecord(part, record)),
    );
  } catch (error) {
    if (error instanceof MalformedMessage) return refused(`not as it should be: ${error.message}`);
    throw error;
  }
}

interface AggregatedPart {
  /** Where among the parts of its record it stands, counted from 0. */
  readonly place: number;
  readonly partitionKey: string;
  readonly data: Uint8Array;
}

const isTooShort = ({ data }: AggregatedPart) => data.byteLength < minimumEventBytes;

function asRecord(
  { place, partitionKey, data }: AggregatedPart,
  within: StreamRecord,
): StreamRecord {
  const { position, arrivedAt } = within;
  const sequence = sequenceInRecord(position.sequence, place);
  return {
    recordId: `${position.shard}:${sequence}`,
    position: { shard: position.shard, sequence },
    partitionKey,
    arrivedAt,
    data,
    aggregatedRecord: within,
  };
}

function readAggregated(message: Uint8Array): AggregatedPart[] {
  const keys: string[] = [];
  const records: Uint8Array[] = [];
  for (const { number, value } of readFields(message)) {
    if (number === fieldsOf.aggregated.partitionKey) keys.push(textOf(value));
    else if (number === fieldsOf.aggregated.record) records.push(bytesOf(value));
  }
  return records.map((bytes, place) => ({ place, ...readPart(bytes, keys) }));
}

function readPart(bytes: Uint8Array, keys: readonly string[]): Omit<AggregatedPart, 'place'> {
  let index: number | undefined;
  let data: Uint8Array | undefined;
  for (const { number, value } of readFields(bytes)) {
    if (number === fieldsOf.record.partitionKeyIndex && typeof value === 'number') index = value;
    else if (number === fieldsOf.record.data) data = bytesOf(value);
  }
  const partitionKey = index === undefined ? undefined : keys[index];
  if (partitionKey === undefined) throw new MalformedMessage('an event has no partition key');
  if (data === undefined) throw new MalformedMessage('an event has no data');
  return { partitionKey, data };
}

function bytesOf(value: number | Uint8Array): Uint8Array {
  if (typeof value === 'number') throw new MalformedMessage('a number stands where bytes should');
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A partition key: of 1 to 256 characters, or Kinesis would not take a redrive by it. */
function textOf(value: number | Uint8Array): string {
  try {
    const text = utf8.decode(bytesOf(value));
    if (text !== '' && text.length <= 256) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new MalformedMessage('a partition key is not text of 1 to 256 characters');
}
