import { tzdata } from './tzdata.ts';

/** A span of time during which a zone's offset does not change. Times are milliseconds since 1970. */
export interface OffsetSpan {
  readonly from: number;
  readonly until: number;
  /** Local time minus UTC, in milliseconds. */
  readonly offset: number;
}

/**
 * One day, in milliseconds. Local time never differs from UTC by a day or more, and no offset change skips more than a
 * day.
 */
const day = 86_400_000;

/**
 * A time zone. Its offset changes come from data in Milepost, so the results do not depend on the version of Node.js.
 * Local times are the milliseconds from 1970-01-01T00:00 to the local date and time, as if each day had 24 hours.
 */
export class TimeZone {
  readonly #spans: readonly OffsetSpan[];

  constructor(spans: readonly OffsetSpan[]) {
    this.#spans = spans;
  }

  /** The time of the last known offset change, in milliseconds since 1970; 0 if there is none. */
  get lastChange(): number {
    return Math.max(0, this.#spans.at(-1)!.from);
  }

  /** Returns the local time at an instant. */
  toLocal(instant: number): number {
    return instant + this.#spans[this.#indexAt(instant)]!.offset;
  }

  /**
   * Converts a local time to an instant. If an offset change repeats the local time, returns the first of the two
   * instants. A skipped local time moves forward by the length of the gap, like `disambiguation: 'compatible'` in
   * Temporal.
   *
   * @see https://tc39.es/proposal-temporal/docs/ambiguity.html
   */
  toInstant(local: number): number {
    const spans = this.#spans.slice(this.#indexAt(local - day), this.#indexAt(local + day) + 1);
    const occurs = spans.find((span) => isIn(span, local - span.offset));
    const before = spans.findLast(({ until, offset }) => local - offset >= until);
    return local - (occurs ?? before)!.offset;
  }

  /** Returns the spans with a constant offset between two instants, in order. */
  *offsetSpans(from: number, until: number): Generator<OffsetSpan> {
    for (let i = this.#indexAt(from); i < this.#spans.length; i++) {
      const span = this.#spans[i]!;
      if (span.from >= until) return;
      yield {
        from: Math.max(span.from, from),
        until: Math.min(span.until, until),
        offset: span.offset,
      };
    }
  }

  #indexAt(instant: number): number {
    let [low, high] = [0, this.#spans.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#spans[middle]!.until <= instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isIn = ({ from, until }: OffsetSpan, instant: number) => from <= instant && instant < until;

/** Returns a time zone by its IANA name, or undefined if there is none. */
export function timeZone(name: string): TimeZone | undefined {
  const parts = partsOf(name);
  if (parts === undefined) return undefined;
  const [first, ...changes] = parts;
  const spans: OffsetSpan[] = [];
  let [from, offset] = [Number.NEGATIVE_INFINITY, minutes(first!)];
  let at = 0;
  for (let i = 0; i < changes.length; i += 2) {
    at += minutes(changes[i]!);
    spans.push({ from, until: at, offset });
    [from, offset] = [at, offset + minutes(changes[i + 1]!)];
  }
  return new TimeZone([...spans, { from, until: Number.POSITIVE_INFINITY, offset }]);
}

export const timeZoneNames = (): string[] =>
  [...tzdata.matchAll(/^(\S+) [-\w=]/gm)].map(([, name]) => name!).slice(1);

const minutes = (text: string) => Number.parseInt(text, 36) * 60_000;

/** Returns the parts of a zone's line in `tzdata`, with references to other zones resolved. */
function partsOf(name: string): string[] | undefined {
  const start = tzdata.indexOf(`\n${name} `);
  if (start < 0) return undefined;
  const line = tzdata.slice(start + 1, tzdata.indexOf('\n', start + 1));
  const parts = line.split(' ').slice(1);
  if (parts[0]!.startsWith('=')) return partsOf(parts[0]!.slice(1));
  const at = parts.findIndex((part) => part.startsWith('@'));
  if (at < 0) return parts;
  const shared = partsOf(parts[at]!.slice(1))!;
  return [...parts.slice(0, at), ...shared.slice(-2 * Number.parseInt(parts[at + 1]!, 36))];
}
