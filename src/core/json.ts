import { MilepostError, messageOf } from './errors.ts';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object, false for null, an array or a plain value. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads JSON without changing anything: a number that a JavaScript number
 * cannot hold exactly is refused instead of rounded.
 *
 * @throws MilepostError `not-json`, `inexact-number`, `forbidden-key` or `too-deep`.
 */
export function parseExact(text: string): Json {
  const { value, marked } = read(text);
  const flaw = marked ? findFlaw(value) : undefined;
  if (flaw) throw new MilepostError(flaw.code, flaw.message);
  return value;
}

/**
 * Reads JSON as `parseExact` does, but lets what is refused stand, marked, so
 * that `firstFlaw` finds it in the part of the value where it is.
 *
 * @throws MilepostError `not-json` or `too-deep`.
 */
export function parseWithFlaws(text: string): Json {
  return read(text).value;
}

/** What is wrong with a value from `parseWithFlaws`, in words; undefined when nothing is. */
export function firstFlaw(value: Json): string | undefined {
  return findFlaw(value)?.message;
}

/** Stands where something was that cannot be kept as it came. */
class Flaw {
  readonly code: 'inexact-number' | 'forbidden-key';
  readonly message: string;

  constructor(code: Flaw['code'], message: string) {
    this.code = code;
    this.message = message;
  }
}

// Fifteen significant digits without an exponent always survive the way through a double
// (IEEE 754), so only longer numbers, exponents and `__proto__` (any letter of which may be
// written as an escape) need the slow reading with a reviver.
const mayBeFlawed = /(?:^|[[:,\s])-?(?:[\d.]{16,}|[\d.]+[eE])|__proto__|\\u00(?:5f|6f|70|72|74)/i;

/** The value of a text, in which flaws are marked if there may be any. */
function read(text: string): { value: Json; marked: boolean } {
  const marked = mayBeFlawed.test(text);
  const value = parse(text, marked ? (mark as never) : undefined);
  if (isDeeperThan(value, maximumDepth, text))
    throw new MilepostError('too-deep', `nested more than ${maximumDepth} deep`);
  return { value, marked };
}

function parse(text: string, reviver: Parameters<typeof JSON.parse>[1]): Json {
  try {
    return JSON.parse(text, reviver) as Json;
  } catch (error) {
    throw new MilepostError('not-json', `not JSON: ${messageOf(error)}`, { cause: error });
  }
}

function mark(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__') return new Flaw('forbidden-key', 'the key "__proto__" is not taken');
  if (typeof value !== 'number' || holds(value, context.source ?? '')) return value;
  const number = shorten(context.source ?? '');
  return new Flaw(
    'inexact-number',
    `the number ${number} cannot be held exactly; send it as a string`,
  );
}

function findFlaw(value: unknown): Flaw | undefined {
  if (value instanceof Flaw) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const flaw = findFlaw(member);
    if (flaw) return flaw;
  }
  return undefined;
}

const openBracket = '['.charCodeAt(0);
const openBrace = '{'.charCodeAt(0);
/** How deep arrays and objects may be nested: recursive code, ours or a model's, stays safe. */
const maximumDepth = 100;

function isDeeperThan(value: Json, depth: number, text: string): boolean {
  // A text with few opening brackets cannot be deep, and hardly any event has many.
  let brackets = 0;
  for (let i = 0; i < text.length && brackets <= depth; i++) {
    const code = text.charCodeAt(i);
    if (code === openBracket || code === openBrace) brackets++;
  }
  if (brackets <= depth) return false;
  let level = [value];
  for (let at = 0; level.length > 0; at++) {
    level = level.flatMap((v) => (typeof v === 'object' && v !== null ? Object.values(v) : []));
    if (at > depth) return true;
  }
  return false;
}

function holds(value: number, source: string): boolean {
  return Number.isFinite(value) && canonical(String(value)) === canonical(source);
}

/** A decimal as its significant digits and the power of ten behind them: `1.50e3` is `15e2`. */
function canonical(decimal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/**
 * Where a value holds something that JSON would change or drop (NaN, a Date, a
 * function, ...), as a path and what is there; undefined when there is nothing.
 * A property that is undefined is allowed: JSON leaves it out.
 */
export function findNonJson(value: unknown, name = 'state'): string | undefined {
  const found = nonJsonIn(value);
  return found === undefined ? undefined : `${name}${found}`;
}

/** What follows the value's own name. The path grows on the way back: mostly there is none. */
function nonJsonIn(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ` is ${String(value)}`;
  if (typeof value !== 'object')
    return ` is ${value === undefined ? 'undefined' : `a ${typeof value}`}`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = nonJsonIn(value[index]);
      if (found !== undefined) return `[${index}]${found}`;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return ` is a ${value.constructor?.name ?? 'class instance'}`;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const found = item === undefined ? undefined : nonJsonIn(item);
    if (found !== undefined) return `.${key}${found}`;
  }
  return undefined;
}
