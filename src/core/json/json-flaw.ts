import { isExactAsDouble } from './decimal.ts';

/** Something in a JSON text that cannot be kept as it came. */
export class JsonFlaw {
  readonly code: 'inexact-number' | 'forbidden-key';
  readonly message: string;

  constructor(code: JsonFlaw['code'], message: string) {
    this.code = code;
    this.message = message;
  }
}

/** Fifteen significant digits without an exponent always survive the way through a double (IEEE 754). */
const safeLength = 15;

/** The flaw of a number, if it has one. */
export function flawOfNumber(number: string): JsonFlaw | undefined {
  if (number.length <= safeLength && !/[eE]/.test(number)) return undefined;
  if (isExactAsDouble(number)) return undefined;
  const short = number.length > 40 ? `${number.slice(0, 40)}…` : number;
  return new JsonFlaw(
    'inexact-number',
    `the number ${short} cannot be held exactly; send it as a string`,
  );
}

/** The flaw of an object's key, if it has one. */
export function flawOfKey(key: string): JsonFlaw | undefined {
  if (key !== '__proto__') return undefined;
  return new JsonFlaw('forbidden-key', 'the key "__proto__" is not taken');
}
