import { flawOfKey, flawOfNumber, JsonFlaw } from './json-flaw.ts';
import { JsonReader } from './json-reader.ts';

/**
 * Parses a JSON text and puts a `JsonFlaw` in place of each value that cannot be stored exactly. If several members
 * have the same name, the last member wins, unless an earlier member is flawed.
 *
 * @param text the text, which must be valid JSON with a nesting depth that is safe for recursion.
 */
export function markFlaws(text: string): unknown {
  return new FlawReader(text).value();
}

/** Finds the first flaw in a value from `markFlaws`. */
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
