import { cbor, tag } from '@smithy/core/cbor';

/** The content type of AWS's own CBOR protocol, which the AWS SDK for Java speaks to Kinesis. */
export const cborType = 'application/x-amz-cbor-1.1';

/** The CBOR tag of a time. AWS counts milliseconds since 1970 where RFC 8949 counts seconds. */
const timeTag = 1;
/** The members of Kinesis's answers that are bytes or times: JSON does not tell them apart. */
const byteMembers: ReadonlySet<string> = new Set(['Data']);
const timeMembers: ReadonlySet<string> = new Set([
  'ApproximateArrivalTimestamp',
  'StreamCreationTimestamp',
]);

/**
 * Decodes a request in CBOR to the same request in JSON: bytes become base64, times become seconds.
 *
 * @throws Error when the bytes are not CBOR, or hold a value that JSON cannot.
 */
export function cborToJson(bytes: Uint8Array): string {
  return JSON.stringify(toJsonValue(cbor.deserialize(bytes)));
}

/** Encodes an answer in JSON as CBOR: base64 becomes bytes, seconds become times. */
export function jsonToCbor(json: string): Uint8Array {
  return cbor.serialize(toCborValue(JSON.parse(json)));
}

function toJsonValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (typeof value !== 'object' || value === null) return value;
  if ('tag' in value && value.tag === timeTag && 'value' in value)
    return Number(value.value) / 1000;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, toJsonValue(of)]));
}

function toCborValue(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && byteMembers.has(name)) return Buffer.from(value, 'base64');
  if (typeof value === 'number' && timeMembers.has(name))
    return tag({ tag: timeTag, value: Math.round(value * 1000) });
  if (Array.isArray(value)) return value.map((item) => toCborValue(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, toCborValue(of, key)]));
}
