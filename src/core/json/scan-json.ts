import { flawOfKey, flawOfNumber, type JsonFlaw } from './json-flaw.ts';
import { colon, endOfNumber, endOfString, quote, skipSpace, startsNumber } from './json-tokens.ts';

/** The findings of a scan. */
export interface JsonScan {
  /** How deep arrays and objects are nested: 0 for a plain value. */
  readonly depth: number;
  /** The first flaw of the text. */
  readonly flaw: JsonFlaw | undefined;
}

const underscore = '_'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
/** `__proto__` in quotes, and the same with each letter written as an escape such as `\u005f`. */
const keyLengths = { shortest: 11, longest: 56 } as const;

/**
 * Scans a JSON text once, from its start to its end, without building anything: any text of a length
 * takes about the same time. A flaw counts wherever it stands, also in a member that a later one of the
 * same name replaces.
 *
 * @param text valid JSON.
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

/** The flaw of a string that is a key. Only a string that looks like a bad key is read. */
function flawOfString(text: string, start: number, end: number): JsonFlaw | undefined {
  const first = text.charCodeAt(start + 1);
  if (first !== underscore && first !== backslash) return undefined;
  const length = end - start;
  if (length < keyLengths.shortest || length > keyLengths.longest) return undefined;
  if (text.charCodeAt(skipSpace(text, end)) !== colon) return undefined;
  return flawOfKey(JSON.parse(text.slice(start, end)) as string);
}
