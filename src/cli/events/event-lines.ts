/** An event's JSON, exactly as the file has it, and the line on which it starts. */
export interface EventLine {
  readonly line: number;
  readonly json: string;
}

/** Something in the file that is no event, and why. */
export interface InvalidLine {
  readonly line: number;
  readonly reason: string;
}

/** What one event of a file turned out to be. */
export type ParsedLine = EventLine | InvalidLine;

/** Cuts a file into events as its bytes come. */
export interface Splitter {
  push(chunk: Uint8Array): Iterable<ParsedLine>;
  /** What is left when the file ends. */
  end(): Iterable<ParsedLine>;
}

/**
 * The longest event text that is kept in memory, in bytes: four times the largest event, so that
 * white space in it does no harm.
 */
const maximumEventBytes = 1024 * 1024;

/** Gathers the bytes of one event over chunks, and drops them where they grow too long. */
export class EventBytes {
  #parts: Uint8Array[] = [];
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > maximumEventBytes) this.#parts = [];
    else this.#parts.push(bytes);
  }

  /** The event so far, checked to be JSON, and starts the next; undefined if it is blank. */
  take(line: number): ParsedLine | undefined {
    const parts = this.#parts;
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    if (size > maximumEventBytes)
      return { line, reason: `longer than ${maximumEventBytes / 1024} KB` };
    return checked(line, parts);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function checked(line: number, parts: readonly Uint8Array[]): ParsedLine | undefined {
  let json: string;
  try {
    json = utf8.decode(Buffer.concat(parts)).trim();
  } catch {
    return { line, reason: 'not UTF-8' };
  }
  if (json === '') return undefined;
  try {
    JSON.parse(json);
    return { line, json };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Where it says a line, it means one within this text.
    const reason = json === '{' ? 'the event goes on in the next line' : message;
    return { line, reason: `not JSON: ${reason.replace(/ \(line \d+ column \d+\)/, '')}` };
  }
}
