import type { Item } from 'dynalite/db/index.js';
import { isJsonObject } from '../../common/is-json-object.ts';
import { maximumLevels } from './request-values.ts';

/**
 * The maximum length, in UTF-16 code units, at which an item is certain not to exceed 400 KB. A code unit takes at most
 * three bytes in UTF-8, and a Base64 character represents less than one byte.
 */
const surelyAllowedLength = (400 * 1024) / 3;
/** The maximum number of maps around a value. */
const maximumDepth = maximumLevels - 1;
/** A number of up to 38 digits in DynamoDB's normal form. */
const plainNumber = /^(?!-?[\d.]{40})(?:0|-?[1-9]\d{0,37}|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;

/**
 * Returns true if an item, or another map of attribute values, is known to be valid and would be stored unchanged. If
 * the function returns false, the item may still be valid. The check is many times faster than dynalite's validation,
 * which explains errors and converts values.
 */
export function isPlain(item: unknown): item is Item {
  return isJsonObject(item) && lengthOf(item, 0) <= surelyAllowedLength;
}

/** Returns the approximate length of a map of values, or infinity if a value is not plain. */
function lengthOf(map: object, depth: number): number {
  let length = 0;
  for (const [name, value] of Object.entries(map)) {
    if (name === '__proto__') return Infinity;
    length += name.length + valueLength(value, depth);
  }
  return length;
}

function valueLength(value: unknown, depth: number): number {
  if (!isJsonObject(value)) return Infinity;
  const [type, ...others] = Object.keys(value);
  if (type === undefined || others.length > 0) return Infinity;
  const content = value[type];
  switch (type) {
    case 'S':
      return typeof content === 'string' ? content.length : Infinity;
    case 'N':
      return typeof content === 'string' && plainNumber.test(content) ? content.length : Infinity;
    case 'B':
      return isBase64(content) ? content.length : Infinity;
    case 'BOOL':
      return typeof content === 'boolean' ? 1 : Infinity;
    case 'NULL':
      return content === true ? 1 : Infinity;
    case 'M':
      return isJsonObject(content) && depth < maximumDepth
        ? 3 + lengthOf(content, depth + 1)
        : Infinity;
    default:
      return Infinity;
  }
}

function isBase64(content: unknown): content is string {
  return (
    typeof content === 'string' && Buffer.from(content, 'base64').toString('base64') === content
  );
}
