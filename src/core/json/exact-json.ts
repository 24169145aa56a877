import { messageOf } from '../../common/message-of.ts';
import { MilepostError } from '../errors.ts';
import type { Json } from './json.ts';
import type { JsonFlaw } from './json-flaw.ts';
import { findFlaw, markFlaws } from './mark-flaws.ts';
import { withExactKeys } from './parse-json.ts';
import { scanJson } from './scan-json.ts';

/** The maximum nesting depth of arrays and objects. This depth is safe for recursive code, including models' code. */
const maximumDepth = 100;

/** The value of a JSON text, or the reason it is rejected. */
export type ExactJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: 'not-json'; readonly reason: string }
  | {
      readonly ok: false;
      readonly code: 'too-deep' | JsonFlaw['code'];
      readonly reason: string;
      /** The value as `JSON.parse` returns it, for troubleshooting: numbers can be rounded. */
      readonly rounded: Json;
    };

/**
 * Parses JSON without changing anything: a number that a double does not preserve is rejected instead of rounded.
 *
 * `JSON.parse` builds the value, and a scan of the text finds the values that `JSON.parse` changes. `lossless-json`
 * takes nearly twice as long for an event of 1.6 KB, overflows the stack on deep nesting, and rejects objects with
 * duplicate names. `@streamparser/json` takes three to six times as long (docs/decisions/0023).
 */
export function readExact(text: string): ExactJson {
  let value: Json;
  const { stackTraceLimit } = Error;
  try {
    // Do not capture a stack trace: nobody reads it, and it would double the time to parse invalid JSON. A record can
    // contain thousands of invalid events.
    Error.stackTraceLimit = 0;
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { ok: false, code: 'not-json', reason: `not JSON: ${messageOf(error)}` };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const { depth, flaw } = scanJson(text);
  if (depth > maximumDepth)
    return {
      ok: false,
      code: 'too-deep',
      reason: `nested more than ${maximumDepth} levels deep`,
      rounded: value,
    };
  if (flaw) return { ok: false, code: flaw.code, reason: flaw.message, rounded: value };
  return { ok: true, value: withExactKeys(text, value) };
}

/**
 * Parses JSON like `readExact`.
 *
 * @throws MilepostError `not-json`, `inexact-number`, `forbidden-key`, or `too-deep`.
 */
export function parseExact(text: string): Json {
  const read = readExact(text);
  if (read.ok) return read.value;
  throw new MilepostError(read.code, read.reason);
}

/**
 * Parses JSON like `parseExact`, but marks flawed values instead of rejecting the text. `firstFlaw` then returns
 * the first flaw in any part of the value.
 *
 * @throws MilepostError `not-json` or `too-deep`.
 */
export function parseWithFlaws(text: string): Json {
  const read = readExact(text);
  if (read.ok) return read.value;
  if (read.code === 'inexact-number' || read.code === 'forbidden-key')
    return markFlaws(text) as Json;
  throw new MilepostError(read.code, read.reason);
}

/** Returns the first flaw of a value from `parseWithFlaws`; undefined if it has none. */
export function firstFlaw(value: Json): string | undefined {
  return findFlaw(value)?.message;
}
