import { hash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compress, decompress } from '../dynamodb/compress.ts';

/**
 * The maximum size of a text that is stored inline, in bytes. Larger event data and effects are stored in separate
 * items. Larger states and parked events are compressed.
 */
const maximumInlineBytes = 8 * 1024;
/** The maximum size of a part, in bytes. DynamoDB limits an item to 400 KB. */
const maximumPartBytes = 380 * 1024;

/** A part of a large text, stored as an item in the item collection of the commit's instance. */
export interface TextPart {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** Returns true if a text is too large to be stored inline. */
export const isLarge = (text: string) => Buffer.byteLength(text) > maximumInlineBytes;

const textPrefix = 'BODY#';

/**
 * Returns the prefix of the sort keys for a commit's texts, including texts from writers whose commit ended in a
 * conflict.
 */
export const textsOfCommit = (version: number) =>
  `${textPrefix}${String(version).padStart(10, '0')}#`;

/** Returns the version of the commit that a text belongs to. */
export const versionOfText = (key: string) =>
  Number(key.slice(textPrefix.length, key.indexOf('#', textPrefix.length)));

/**
 * Splits a large text into compressed parts. Compression reduces cost and compensates for numbers that are longer than
 * in the original JSON. The keys are derived from the commit's version and the content, so writing the same text again
 * changes nothing. Once a version is committed, no commit refers to the texts that other writers stored for that
 * version.
 */
export function toParts(text: string, version: number): TextPart[] {
  const whole = compress(text);
  const count = Math.ceil(whole.byteLength / maximumPartBytes);
  const key = textsOfCommit(version) + hash('sha256', text);
  return Array.from({ length: count }, (_, part) => ({
    key: part === 0 ? key : `${key}#${part}`,
    bytes: whole.subarray(part * maximumPartBytes, (part + 1) * maximumPartBytes),
  }));
}

/**
 * Joins the parts of a large text.
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
