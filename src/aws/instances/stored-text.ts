import { hash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { compress, decompress } from '../dynamodb/compress.ts';

/** Text of more bytes than this is kept in items of its own. */
const maximumInlineBytes = 8 * 1024;
/** What one of these holds; an item may have 400 KB. */
const maximumPartBytes = 380 * 1024;

/** A part of a large text, as an item beside the one that it belongs to. */
export interface TextPart {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** Whether a text is too large to be kept in the item that it belongs to. */
export const isLarge = (text: string) => Buffer.byteLength(text) > maximumInlineBytes;

const textPrefix = 'BODY#';

/** The start of the sort keys of texts that belong to a commit, whether it was written or lost its condition. */
export const textsOfCommit = (version: number) =>
  `${textPrefix}${String(version).padStart(10, '0')}#`;

/** The version of the commit that a text belongs to. */
export const versionOfText = (key: string) =>
  Number(key.slice(textPrefix.length, key.indexOf('#', textPrefix.length)));

/**
 * The parts of a large text, compressed: it costs less, and numbers fit that are longer written out
 * than they came. The keys follow from the commit's version and the content, so that writing a commit
 * again changes nothing, and once a version is written, a text of it that its commit does not name is
 * never going to be named.
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
 * Reads a large text back.
 *
 * @throws TypeError when a part is missing.
 */
export function fromParts(
  keys: readonly string[],
  items: ReadonlyMap<string, Record<string, AttributeValue>>,
): string {
  const parts = keys.map((key) => {
    const bytes = items.get(key)?.data?.B;
    if (!bytes) throw new TypeError(`there is no item ${key}`);
    return bytes;
  });
  return decompress(Buffer.concat(parts));
}
