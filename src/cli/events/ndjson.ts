import { EventBytes, type ParsedLine, type Splitter } from './event-lines.ts';

const lineFeed = 0x0a;

/** Splits NDJSON into events, one per line (https://github.com/ndjson/ndjson-spec). Skips blank lines. */
export class NdjsonSplitter implements Splitter {
  readonly #event = new EventBytes();
  #line: number;

  /** @param line the line of the first pushed byte. */
  constructor(line: number) {
    this.#line = line;
  }

  *push(chunk: Uint8Array): Iterable<ParsedLine> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, from);
      this.#event.add(chunk.subarray(from, end === -1 ? undefined : end));
      if (end === -1) return;
      yield* this.end();
      this.#line++;
      from = end + 1;
    }
  }

  *end(): Iterable<ParsedLine> {
    const read = this.#event.take(this.#line);
    if (read !== undefined) yield read;
  }
}
