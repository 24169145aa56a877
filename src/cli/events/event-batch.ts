import type { EventLine, InvalidLine, ParsedLine } from './event-lines.ts';

// The API accepts up to 500 events and 6 MB per request. The size limit applies to the body as a JSON string, in which
// a quotation mark takes two bytes.
const maximumEvents = 500;
const maximumBytes = 3_000_000;

/** How long an event waits for more events before it is sent, in milliseconds. */
const maximumWaitMs = 500;

/** The lines of a file that are sent in one request. A batch is due shortly after its first line is added. */
export class EventBatch {
  readonly good: EventLine[] = [];
  readonly bad: InvalidLine[] = [];
  readonly #due = Promise.withResolvers<'due'>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when the batch must be sent, even if it is not full. */
  get due(): Promise<'due'> {
    return this.#due.promise;
  }

  get isEmpty(): boolean {
    return this.good.length + this.bad.length === 0;
  }

  hasRoomFor(line: ParsedLine): boolean {
    return (
      this.good.length + this.bad.length < maximumEvents &&
      this.#bytes + sizeOf(line) <= maximumBytes
    );
  }

  add(line: ParsedLine): void {
    this.#timer ??= setTimeout(() => this.end(), maximumWaitMs);
    this.#bytes += sizeOf(line);
    if ('json' in line) this.good.push(line);
    else this.bad.push(line);
  }

  /** Makes the batch due. */
  end(): void {
    clearTimeout(this.#timer);
    this.#due.resolve('due');
  }
}

const sizeOf = (line: ParsedLine) => ('json' in line ? Buffer.byteLength(line.json) + 1 : 0);
