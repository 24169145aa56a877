import type { Json } from './json.ts';
import { JsonReader } from './json-reader.ts';
import { colon, endOfString, skipSpace } from './json-tokens.ts';

/**
 * Parses JSON like `JSON.parse`, but preserves every object key.
 *
 * V8 can mistake a key that is written with an escape for a key of a previously parsed object
 * (https://github.com/nodejs/node/issues/63785, seen in Node.js 24 and 26). For example, it can read `"\nab"` as a key
 * that consists of a backslash, `n`, and `a`. One producer's event could therefore change the keys that are read
 * from another producer's event, so `JsonReader` parses JSON with escaped keys.
 *
 * @typeParam Value the type of the value. This function does not check the type.
 * @throws SyntaxError if the text is not JSON; RangeError if JSON with escaped keys is nested thousands of levels deep.
 */
export function parseJson<Value = Json>(text: string): Value {
  return withExactKeys(text, JSON.parse(text) as Json) as Value;
}

/** Restores the exact keys of JSON in the value that `JSON.parse` returned for it. */
export const withExactKeys = (text: string, value: Json): Json =>
  hasEscapedKey(text) ? (new JsonReader(text).value() as Json) : value;

function hasEscapedKey(text: string): boolean {
  let escape = text.indexOf('\\');
  let start = escape === -1 ? -1 : text.indexOf('"');
  while (start !== -1) {
    const end = endOfString(text, start);
    if (escape < end) {
      if (text.charCodeAt(skipSpace(text, end)) === colon) return true;
      escape = text.indexOf('\\', end);
      if (escape === -1) return false;
    }
    start = text.indexOf('"', end);
  }
  return false;
}
