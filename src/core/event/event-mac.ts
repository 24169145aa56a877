import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** A key for computing message authentication codes (MACs). */
export interface MacKey {
  /** The id of the key: up to 12 digits. A record contains the id next to the MAC. */
  readonly id: string;
  readonly secret: KeyObject;
}

/** The MAC at the end of a record, before it is verified. */
interface RecordMac {
  readonly keyId: string;
  /** The MAC, in base64url. */
  readonly mac: string;
  /** The bytes that the MAC protects: all bytes of the record before the MAC. */
  readonly covered: Uint8Array;
}

/** The maximum number of digits in a key id. */
export const maximumKeyIdLength = 12;

/** The CloudEvents extension attribute with the MAC, which is the last attribute of a record. */
export const macAttribute = 'milepostmac';

const suffixOf = (keyId: string, mac: string) => `,"${macAttribute}":"${keyId}.${mac}"}`;
const suffixPattern = new RegExp(
  `,"${macAttribute}":"(?<keyId>\\d{1,12})\\.(?<mac>[\\w-]{43})"\\}$`,
);
const maximumSuffixLength = suffixOf('0'.repeat(maximumKeyIdLength), '0'.repeat(43)).length;

/** The maximum number of bytes that a MAC adds to an event. */
export const maximumMacBytes = maximumSuffixLength - 1;

/**
 * Appends a MAC (HMAC-SHA256) to an event. The MAC covers every byte before it, so the JSON needs no canonical form.
 *
 * @param json the event as JSON text in UTF-8: a nonempty object without trailing whitespace.
 */
export function withMac(json: Uint8Array, key: MacKey): Uint8Array {
  const covered = json.subarray(0, -1);
  const suffix = suffixOf(key.id, macOf(covered, key));
  return Buffer.concat([covered, Buffer.from(suffix, 'latin1')]);
}

/** Finds the MAC at the end of a record; undefined if the record does not end with a MAC in exactly this format. */
export function findMac(record: Uint8Array): RecordMac | undefined {
  const start = Math.max(0, record.byteLength - maximumSuffixLength);
  const end = Buffer.from(record.buffer, record.byteOffset + start, record.byteLength - start);
  const match = suffixPattern.exec(end.toString('latin1'));
  if (!match) return undefined;
  const { keyId, mac } = match.groups as { keyId: string; mac: string };
  return { keyId, mac, covered: record.subarray(0, -match[0].length) };
}

/**
 * Returns true if a MAC was computed with this key. The comparison takes constant time, so its duration does not reveal
 * the expected MAC.
 */
export function verifyMac(key: MacKey, { mac, covered }: RecordMac): boolean {
  return timingSafeEqual(Buffer.from(mac, 'latin1'), Buffer.from(macOf(covered, key), 'latin1'));
}

const macOf = (bytes: Uint8Array, { secret }: MacKey) =>
  createHmac('sha256', secret).update(bytes).digest('base64url');
