import { flawOfKey, flawOfNumber, type JsonFlaw } from './json-flaw.ts';
import { colon, endOfNumber, endOfString, quote, skipSpace, startsNumber } from './json-tokens.ts';

/** The nesting depth and the first flaw of a JSON text. */
export interface JsonScan {
  /** The nesting depth of arrays and objects: 0 for a primitive value. */
  readonly depth: number;
  /** The first part that cannot be stored exactly; undefined if there is none. */
  readonly flaw: JsonFlaw | undefined;
}

const underscore = '_'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
/** The lengths of `__proto__` in quotes, verbatim and with each character escaped like `\u005f`. */
const keyLengths = { shortest: 11, longest: 56 } as const;

/**
 * Scans a JSON text once from start to end without building values, so the time depends only on the length of the
 * text. The scan also finds flaws in a member that a later member with the same name overrides.
 *
 * @param text the text, which must be valid JSON.
 */
export function scanJson(text: string): JsonScan {
  let flaw: JsonFlaw | undefined;
  let deepest = 0;
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      flaw ??= flawOfString(text, at, end);
      at = end;
    } else if (startsNumber(code)) {
      const end = endOfNumber(text, at);
      flaw ??= flawOfNumber(text.slice(at, end));
      at = end;
    } else {
      if (code === openBracket || code === openBrace) deepest = Math.max(deepest, ++depth);
      else if (code === closeBracket || code === closeBrace) depth--;
      at++;
    }
  }
  return { depth: deepest, flaw };
}

const openBracket = '['.charCodeAt(0);
const openBrace = '{'.charCodeAt(0);
const closeBracket = ']'.charCodeAt(0);
const closeBrace = '}'.charCodeAt(0);

/**
 * Returns the flaw of a string if the string is a forbidden key. Parses only keys that can be forbidden according to
 * their first character and length.
 */
function flawOfString(text: string, start: number, end: number): JsonFlaw | undefined {
  const first = text.charCodeAt(start + 1);
  if (first !== underscore && first !== backslash) return undefined;
  const length = end - start;
  if (length < keyLengths.shortest || length > keyLengths.longest) return undefined;
  if (text.charCodeAt(skipSpace(text, end)) !== colon) return undefined;
  return flawOfKey(JSON.parse(text.slice(start, end)) as string);
}
