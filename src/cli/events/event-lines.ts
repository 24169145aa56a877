import { messageOf } from '../../common/message-of.ts';

/** The unchanged JSON of an event in a file, and the line where it starts. */
export interface EventLine {
  readonly line: number;
  readonly json: string;
}

/** Text in the file that is not an event, and the reason. */
export interface InvalidLine {
  readonly line: number;
  readonly reason: string;
}

/** A part of a file: an event, or invalid text. */
export type ParsedLine = EventLine | InvalidLine;

/** A parser that splits the bytes of a file into events. */
export interface Splitter {
  push(chunk: Uint8Array): Iterable<ParsedLine>;
  /** Returns the rest of the file: the last event or an error. */
  end(): Iterable<ParsedLine>;
}

/** The maximum size of an event's text in bytes: four times the maximum event size, to allow for white space. */
const maximumEventBytes = 1024 * 1024;

/** Collects the bytes of an event across chunks. Discards the bytes of an event that is too large. */
export class EventBytes {
  #parts: Uint8Array[] = [];
  #size = 0;

  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size > maximumEventBytes) this.#parts = [];
    else this.#parts.push(bytes);
  }

  /** Validates and returns the collected event, and starts the next event. Returns undefined for blank text. */
  take(line: number): ParsedLine | undefined {
    const parts = this.#parts;
    const size = this.#size;
    this.#parts = [];
    this.#size = 0;
    if (size > maximumEventBytes)
      return { line, reason: `the event is longer than ${maximumEventBytes / 1024} KB` };
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
    // The message contains a position in this text. Remove the position because users would look for it in the file.
    const reason = json === '{' ? 'an event must be on one line' : messageOf(error);
    return { line, reason: `not JSON: ${reason.replace(/ \(line \d+ column \d+\)/, '')}` };
  }
}
