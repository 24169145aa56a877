import { flawOfKey, flawOfNumber, JsonFlaw } from './json-flaw.ts';
import { endOfNumber, endOfString, skipSpace } from './json-tokens.ts';

/**
 * Reads a JSON text, with a `JsonFlaw` in place of each value that cannot be kept as it came. Where members
 * share a name the last one stays, unless an earlier one is flawed.
 *
 * @param text valid JSON, and not nested so deep that recursion could fail.
 */
export function markFlaws(text: string): unknown {
  return new Reader(text).value();
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

const literals: Readonly<Record<string, boolean | null>> = { t: true, f: false, n: null };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): unknown {
    const first = this.#next();
    if (first === '{') return this.#object();
    if (first === '[') return this.#array();
    if (first === '"') return this.#string();
    const literal = literals[first];
    if (literal === undefined) return this.#number();
    this.#at += String(literal).length;
    return literal;
  }

  #object(): unknown {
    const members = new Map<string, unknown>();
    for (this.#at++; this.#next() !== '}'; this.#skip(',')) {
      const key = this.#string();
      this.#next();
      this.#at++; // the colon
      const value = this.value();
      members.set(key, findFlaw(members.get(key)) ?? flawOfKey(key) ?? value);
    }
    this.#at++;
    return Object.fromEntries(members);
  }

  #array(): unknown {
    const elements: unknown[] = [];
    for (this.#at++; this.#next() !== ']'; this.#skip(',')) elements.push(this.value());
    this.#at++;
    return elements;
  }

  #string(): string {
    const raw = this.#take(endOfString(this.#text, this.#at));
    return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  #number(): number | JsonFlaw {
    const number = this.#take(endOfNumber(this.#text, this.#at));
    return flawOfNumber(number) ?? Number(number);
  }

  /** The first character of the next token, which is then at the current place. */
  #next(): string {
    this.#at = skipSpace(this.#text, this.#at);
    return this.#text[this.#at]!;
  }

  #skip(character: string): void {
    if (this.#next() === character) this.#at++;
  }

  #take(end: number): string {
    const token = this.#text.slice(this.#at, end);
    this.#at = end;
    return token;
  }
}
