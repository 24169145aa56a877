import { EventBytes, type ParsedLine, type Splitter } from './event-lines.ts';

const code = (character: string) => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const openers = new Set([code('['), code('{')]);
const closers = new Set([code(']'), code('}')]);
const closeArray = code(']');
const lineFeed = code('\n');
const blanks = new Set([lineFeed, code('\r'), code('\t'), code(' ')]);

/**
 * Splits a JSON array into its elements as the array is read. Tracks only strings and brackets, and parses each
 * complete element separately.
 */
export class JsonArraySplitter implements Splitter {
  readonly #event = new EventBytes();
  #line: number;
  /** The first line of the current element; undefined between elements. */
  #startLine: number | undefined;
  #place: 'before' | 'inside' | 'after' | 'beyond' = 'before';
  #depth = 0;
  #string: 'out' | 'in' | 'escape' = 'out';

  /** @param line the line of the opening bracket. */
  constructor(line: number) {
    this.#line = line;
  }

  *push(chunk: Uint8Array): Iterable<ParsedLine> {
    let from = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0;
      if (byte === lineFeed) this.#line++;
      if (this.#place === 'before') {
        this.#place = 'inside';
        from = i + 1;
      } else if (this.#place === 'inside') {
        if (this.#startLine === undefined && !blanks.has(byte)) this.#startLine = this.#line;
        if (!this.#isBoundary(byte)) continue;
        this.#event.add(chunk.subarray(from, i));
        yield* this.#take(byte);
        from = i + 1;
      } else if (this.#place === 'after' && !blanks.has(byte)) {
        this.#place = 'beyond';
        yield { line: this.#line, reason: 'text after the end of the array' };
      }
    }
    if (this.#place === 'inside') this.#event.add(chunk.subarray(from));
  }

  *end(): Iterable<ParsedLine> {
    if (this.#place !== 'inside') return;
    const complete = this.#depth === 0 && this.#string === 'out';
    if (complete) yield* this.#take(comma);
    yield {
      line: this.#startLine ?? this.#line,
      reason: complete ? 'the array is not closed' : 'the file ends within this event',
    };
  }

  *#take(boundary: number): Iterable<ParsedLine> {
    const line = this.#startLine ?? this.#line;
    const read = this.#event.take(line);
    this.#startLine = undefined;
    if (boundary === closeArray) this.#place = 'after';
    if (read !== undefined) yield read;
  }

  /** Processes a byte of an element. Returns true if the byte is the comma or the bracket that ends the element. */
  #isBoundary(byte: number): boolean {
    if (this.#string === 'escape') this.#string = 'in';
    else if (byte === quote) this.#string = this.#string === 'in' ? 'out' : 'in';
    else if (this.#string === 'in') this.#string = byte === backslash ? 'escape' : 'in';
    else if (openers.has(byte)) this.#depth++;
    else if (closers.has(byte) && this.#depth > 0) this.#depth--;
    else return this.#depth === 0 && (byte === comma || byte === closeArray);
    return false;
  }
}
