import type { ParsedLine } from './event-lines.ts';

/** Reads lines. A caller can stop waiting for a line and resume later without losing the line. */
export class LineReader {
  readonly #lines: AsyncIterator<ParsedLine>;
  #next: Promise<IteratorResult<ParsedLine>> | undefined;

  constructor(lines: AsyncIterable<ParsedLine>) {
    this.#lines = lines[Symbol.asyncIterator]();
  }

  /** Returns the next line, undefined at the end, or the value of `until` if it resolves first. */
  async nextUntil<Value extends string>(
    until: Promise<Value>,
  ): Promise<ParsedLine | undefined | Value> {
    this.#next ??= this.#lines.next();
    const result = await Promise.race([this.#next, until]);
    if (typeof result === 'string') return result;
    this.#next = undefined;
    return result.done ? undefined : result.value;
  }
}
