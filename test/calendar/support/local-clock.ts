/** A time in minutes since 1970, in UTC or in local time. */
export type Minute = number;

const perDay = 1440;

/** The local time of one zone according to `Intl`, which uses the time zone data of Node.js. */
export class LocalClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    const two = '2-digit';
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
    });
  }

  /** Returns the local time at an instant. */
  at(instant: Minute): Minute {
    // The text has the format `09/09/2001, 03:46`.
    const text = this.#format.format(instant * 60_000);
    const part = (from: number, until: number) => Number(text.slice(from, until));
    return Date.UTC(part(6, 10), part(0, 2) - 1, part(3, 5), part(12, 14), part(15, 17)) / 60_000;
  }

  /** Returns the local time of each minute of a window. */
  window(from: Minute, length: number): Int32Array {
    const local = new Int32Array(length);
    for (let i = 0; i < length; ) {
      const end = Math.min(i + 60, length);
      local[i] = this.at(from + i);
      // The offset does not change within an hour whose first and last minute have the same offset.
      const isSteady = this.at(from + end - 1) === local[i]! + end - 1 - i;
      for (let j = i + 1; j < end; j++) local[j] = isSteady ? local[j - 1]! + 1 : this.at(from + j);
      i = end;
    }
    return local;
  }

  /**
   * Returns every minute at which the offset changes, from the start of the year `first` to the start of the year
   * `end`.
   */
  changes(first: number, end: number): Minute[] {
    const found: Minute[] = [];
    const [from, until] = [Date.UTC(first, 0) / 60_000, Date.UTC(end, 0) / 60_000];
    const offset = (instant: Minute) => this.at(instant) - instant;
    for (let day = from; day < until; day += perDay) {
      if (offset(day) === offset(day + perDay)) continue;
      const before = offset(day);
      let minute = day;
      while (offset(minute + 60) === before) minute += 60;
      while (offset(minute) === before) minute++;
      found.push(minute);
    }
    return found;
  }
}
