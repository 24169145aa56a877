import { isExactAsDouble } from './decimal.ts';

/** A part of a JSON text that cannot be stored exactly. */
export class JsonFlaw {
  readonly code: 'inexact-number' | 'forbidden-key';
  readonly message: string;

  constructor(code: JsonFlaw['code'], message: string) {
    this.code = code;
    this.message = message;
  }
}

/** A double preserves every number of up to 15 significant digits without an exponent (IEEE 754). */
const safeLength = 15;

/** Returns the flaw of a number that a double does not preserve; undefined for other numbers. */
export function flawOfNumber(number: string): JsonFlaw | undefined {
  if (number.length <= safeLength && !/[eE]/.test(number)) return undefined;
  if (isExactAsDouble(number)) return undefined;
  const short = number.length > 40 ? `${number.slice(0, 40)}…` : number;
  return new JsonFlaw(
    'inexact-number',
    `the number ${short} has no exact representation; send it as a string`,
  );
}

/** Returns the flaw of the key `__proto__`; undefined for other keys. */
export function flawOfKey(key: string): JsonFlaw | undefined {
  if (key !== '__proto__') return undefined;
  return new JsonFlaw('forbidden-key', 'the key "__proto__" is not allowed');
}
