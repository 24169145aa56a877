import { hash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compress, decompress } from '../dynamodb/compress.ts';

/**
 * The maximum size of JSON that is stored inline, in bytes. Larger event data and effects are stored in separate items:
 * the commit's bodies. Larger states and parked events are compressed.
 */
const maximumInlineBytes = 8 * 1024;
/** The maximum size of a part, in bytes. DynamoDB limits an item to 400 KB. */
const maximumPartBytes = 380 * 1024;

/** A part of a body, stored as an item in the item collection of the commit's instance. */
export interface BodyPart {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** Returns true if JSON is too large to be stored inline. */
export const isLarge = (json: string) => Buffer.byteLength(json) > maximumInlineBytes;

const bodyPrefix = 'BODY#';

/**
 * Returns the prefix of the sort keys for a commit's bodies, including bodies from writers whose commit ended in a
 * conflict.
 */
export const bodiesOfCommit = (version: number) =>
  `${bodyPrefix}${String(version).padStart(10, '0')}#`;

/** Returns the version of the commit that a body belongs to. */
export const versionOfBody = (key: string) =>
  Number(key.slice(bodyPrefix.length, key.indexOf('#', bodyPrefix.length)));

/**
 * Compresses large JSON and splits it into the parts of a body. Compression reduces cost and compensates for numbers
 * that are longer than in the original JSON. The keys are derived from the commit's version and the content, so writing
 * the same JSON again changes nothing. Once a version is committed, no commit refers to the bodies that other writers
 * stored for that version.
 */
export function toParts(json: string, version: number): BodyPart[] {
  const whole = compress(json);
  const count = Math.ceil(whole.byteLength / maximumPartBytes);
  const key = bodiesOfCommit(version) + hash('sha256', json);
  return Array.from({ length: count }, (_, part) => ({
    key: part === 0 ? key : `${key}#${part}`,
    bytes: whole.subarray(part * maximumPartBytes, (part + 1) * maximumPartBytes),
  }));
}

/**
 * Joins the parts of a body and returns its JSON.
 *
 * @throws TypeError if a part is missing or damaged.
 */
export function fromParts(
  keys: readonly string[],
  items: ReadonlyMap<string, Record<string, AttributeValue>>,
): string {
  const parts = keys.map((key) => {
    const bytes = items.get(key)?.data?.B;
    if (!bytes) throw new TypeError(`the item ${key} is missing`);
    return bytes;
  });
  return decompress(Buffer.concat(parts));
}
