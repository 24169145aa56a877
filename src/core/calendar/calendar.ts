/** A span of time during which a calendar is open. Times are RFC 3339 in UTC; `until` is not part of the span. */
export interface OpenInterval {
  /** The opening, or the start of the requested time. */
  readonly from: string;
  /** The closing, or the end of the requested time. */
  readonly until: string;
}

/** A business calendar, as `defineCalendar` builds it: the hours in which the time of a deadline counts. */
export interface Calendar {
  /** The IANA time zone in which the opening hours are given, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /**
   * Returns the time at which a duration that starts at `time` ends. Days are working days. Hours, minutes and
   * seconds count only while the calendar is open.
   *
   * @param time an RFC 3339 time.
   * @param duration an ISO 8601 duration of whole days, hours, minutes and seconds, such as `PT8H` or `P1DT4H`.
   * @returns an RFC 3339 time in UTC.
   * @throws RangeError for a duration in weeks, months, years or fractional days, and for any other text.
   */
  add(time: string, duration: string): string;
  /**
   * Returns the open time between two times, in milliseconds; 0 if `until` is not after `from`.
   *
   * @param from an RFC 3339 time.
   * @param until an RFC 3339 time.
   * @returns milliseconds.
   */
  between(from: string, until: string): number;
  /**
   * Returns the spans between two times in which the calendar is open, in order and without overlaps.
   *
   * @param from an RFC 3339 time.
   * @param until an RFC 3339 time.
   * @returns the spans, cut off at `from` and `until`.
   */
  openIntervals(from: string, until: string): readonly OpenInterval[];
}
