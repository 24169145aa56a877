import { hash } from 'node:crypto';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import { minimumEventBytes } from '../../core/event/event.ts';
import { sequenceInRecord } from '../../core/history/sequence.ts';
import type { UserRecords } from '../../dispatcher/decode-records.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';
import { fieldsOf, magic } from './aggregated-record.ts';
import { MalformedMessage, readFields } from './protobuf.ts';

const digestBytes = 16;
/**
 * The maximum number of parts that are too short for an event and become separate dead letters. A record can contain
 * tens of thousands of parts, and a dead letter for each part would delay the following records by minutes.
 */
const maximumShortParts = 100;

/**
 * Splits the Kinesis Producer Library's aggregated records into their user records. Returns any other record unchanged.
 * The id of a user record is derived from its position, so a redelivery changes neither its dead letter nor its
 * position in an instance's history.
 *
 * If more than 100 parts are too short for an event, the result omits them. The whole record then also becomes a dead
 * letter, which contains these parts.
 *
 * The format is a small Protocol Buffers message. Milepost parses it without a library because `aws-kinesis-agg` would
 * add all of protobufjs to the dispatcher's bundle.
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
    return refused('its checksum does not match');
  try {
    const parts = readAggregated(message);
    if (parts.length === 0) return refused('it contains no user records');
    const short = parts.filter(isTooShort).length;
    if (short <= maximumShortParts) return { records: parts.map((part) => asRecord(part, record)) };
    const others = parts.filter((part) => !isTooShort(part));
    return refused(
      `${short} of its ${parts.length} user records are too short for an event`,
      others.map((part) => asRecord(part, record)),
    );
  } catch (error) {
    if (error instanceof MalformedMessage) return refused(`malformed: ${error.message}`);
    throw error;
  }
}

interface AggregatedPart {
  /** The index of the part in its record, starting at 0. */
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
  if (partitionKey === undefined) throw new MalformedMessage('a user record has no partition key');
  if (data === undefined) throw new MalformedMessage('a user record has no data');
  return { partitionKey, data };
}

function bytesOf(value: number | Uint8Array): Uint8Array {
  if (typeof value === 'number')
    throw new MalformedMessage('a field contains a number instead of bytes');
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes a partition key. The key must have 1 to 256 characters because Kinesis would reject a redrive with any other
 * key.
 */
function textOf(value: number | Uint8Array): string {
  try {
    const text = utf8.decode(bytesOf(value));
    if (text !== '' && hasAtMostCharacters(text, 256)) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new MalformedMessage('a partition key is not text of 1 to 256 characters');
}
