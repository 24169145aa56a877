import { messageOf } from '../../common/message-of.ts';
import { MilepostError } from '../errors.ts';
import type { Json } from './json.ts';
import type { JsonFlaw } from './json-flaw.ts';
import { findFlaw, markFlaws } from './mark-flaws.ts';
import { withExactKeys } from './parse-json.ts';
import { scanJson } from './scan-json.ts';

/** How deep arrays and objects may be nested: recursive code, ours or a model's, stays safe. */
const maximumDepth = 100;

/** A value, or the reason why its text is refused. */
export type ExactJson =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly code: 'not-json' | 'too-deep' | JsonFlaw['code'];
      readonly reason: string;
    };

/**
 * Reads JSON without changing anything: a number that a JavaScript number
 * cannot hold exactly is refused instead of rounded.
 *
 * `JSON.parse` builds the value, and a scan of the text finds what it would change. `lossless-json` takes
 * nearly twice as long for an event of 1.6 KB, overflows the stack on deep nesting, and refuses an object
 * with a name twice. `@streamparser/json` takes three to six times as long (docs/decisions/0023).
 */
export function readExact(text: string): ExactJson {
  let value: Json;
  const { stackTraceLimit } = Error;
  try {
    // A stack that nobody reads takes half the time of a text that is not JSON, and a record may hold thousands.
    Error.stackTraceLimit = 0;
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { ok: false, code: 'not-json', reason: `not JSON: ${messageOf(error)}` };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const { depth, flaw } = scanJson(text);
  if (depth > maximumDepth)
    return { ok: false, code: 'too-deep', reason: `nested more than ${maximumDepth} deep` };
  if (flaw) return { ok: false, code: flaw.code, reason: flaw.message };
  return { ok: true, value: withExactKeys(text, value) };
}

/**
 * Reads JSON as `readExact` does.
 *
 * @throws MilepostError `not-json`, `inexact-number`, `forbidden-key` or `too-deep`.
 */
export function parseExact(text: string): Json {
  const read = readExact(text);
  if (read.ok) return read.value;
  throw new MilepostError(read.code, read.reason);
}

/**
 * Reads JSON as `parseExact` does, but lets what is refused stand, marked, so
 * that `firstFlaw` finds it in the part of the value where it is.
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

/** Says what is wrong with a value from `parseWithFlaws`; undefined when nothing is. */
export function firstFlaw(value: Json): string | undefined {
  return findFlaw(value)?.message;
}
