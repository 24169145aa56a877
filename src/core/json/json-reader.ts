import { endOfNumber, endOfString, skipSpace } from './json-tokens.ts';

const literals: Readonly<Record<string, boolean | null>> = { t: true, f: false, n: null };

/**
 * Builds the value of a JSON text. If several members have the same name, the last one wins, as in `JSON.parse`.
 *
 * The text must be valid JSON, with a nesting depth that is safe for recursion.
 */
export class JsonReader {
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
    if (literal === undefined) return this.number(this.#take(endOfNumber(this.#text, this.#at)));
    this.#at += String(literal).length;
    return literal;
  }

  #object(): unknown {
    const members = new Map<string, unknown>();
    for (this.#at++; this.#next() !== '}'; this.#skip(',')) {
      const key = this.#string();
      this.#next();
      this.#at++; // Skip the colon.
      const value = this.value();
      members.set(key, this.member(key, value, members.get(key)));
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

  /**
   * Returns the value to keep for a member. `earlier` is the value of an earlier member with the same name, if any.
   */
  protected member(_key: string, value: unknown, _earlier: unknown): unknown {
    return value;
  }

  protected number(number: string): unknown {
    return Number(number);
  }

  /** Skips white space and returns the first character of the next token. */
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
