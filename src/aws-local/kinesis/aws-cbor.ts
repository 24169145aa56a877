import { cbor, tag } from '@smithy/core/cbor';

/** The content type of AWS's CBOR protocol, which the AWS SDK for Java uses for Kinesis. */
export const cborType = 'application/x-amz-cbor-1.1';

/** The CBOR tag of timestamps. AWS uses milliseconds since 1970, whereas RFC 8949 specifies seconds. */
const timeTag = 1;
/**
 * The members of Kinesis responses that are bytes or times, which JSON does not distinguish from strings and numbers.
 */
const byteMembers: ReadonlySet<string> = new Set(['Data']);
const timeMembers: ReadonlySet<string> = new Set([
  'ApproximateArrivalTimestamp',
  'StreamCreationTimestamp',
]);

/**
 * Converts a CBOR request to JSON: bytes become Base64, and times become seconds.
 *
 * @throws Error if the bytes are not CBOR or contain a value that JSON cannot represent.
 */
export function cborToJson(bytes: Uint8Array): string {
  checkTags(bytes);
  return JSON.stringify(toJsonValue(cbor.deserialize(bytes)));
}

/** Converts a JSON response to CBOR: Base64 becomes bytes, and seconds become times. */
export function jsonToCbor(json: string): Uint8Array {
  return cbor.serialize(toCborValue(JSON.parse(json)));
}

/** The types of CBOR items (RFC 8949, section 3.1). */
const itemTypes = { bytes: 2, text: 3, tag: 6 } as const;
/** The additional information of an item whose length is indefinite. */
const indefinite = 31;

/**
 * Throws for any tag except the tag of a time, because Kinesis requests contain no other tag. The decoder would take
 * hours to decode a big number of several megabytes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8949#section-3
 */
function checkTags(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    const head = bytes[at++]!;
    const type = head >> 5;
    const info = head & 0b11111;
    const argumentBytes = info >= 24 && info <= 27 ? 2 ** (info - 24) : 0;
    const argument = argumentBytes === 0 ? info : numberAt(bytes.subarray(at, at + argumentBytes));
    if (type === itemTypes.tag && argument !== timeTag) throw new Error('unsupported tag');
    at += argumentBytes;
    // The items of a list or a map, and the parts of a text of indefinite length, follow as separate items.
    if ((type === itemTypes.bytes || type === itemTypes.text) && info !== indefinite)
      at += argument;
  }
}

const numberAt = (bytes: Uint8Array): number =>
  bytes.reduce((number, byte) => number * 256 + byte, 0);

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
