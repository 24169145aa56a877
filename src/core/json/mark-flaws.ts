import { flawOfKey, flawOfNumber, JsonFlaw } from './json-flaw.ts';
import { JsonReader } from './json-reader.ts';

/**
 * Reads a JSON text, with a `JsonFlaw` in place of each value that cannot be kept as it came. Where members
 * share a name the last one stays, unless an earlier one is flawed.
 *
 * @param text valid JSON, and not nested so deep that recursion could fail.
 */
export function markFlaws(text: string): unknown {
  return new FlawReader(text).value();
}

/** Finds the first flaw in a value that `markFlaws` read. */
export function findFlaw(value: unknown): JsonFlaw | undefined {
  if (value instanceof JsonFlaw) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const flaw = findFlaw(member);
    if (flaw) return flaw;
  }
  return undefined;
}

class FlawReader extends JsonReader {
  protected override member(key: string, value: unknown, earlier: unknown): unknown {
    return findFlaw(earlier) ?? flawOfKey(key) ?? value;
  }

  protected override number(number: string): unknown {
    return flawOfNumber(number) ?? Number(number);
  }
}
