/** A span of time during which a calendar is open. Times are RFC 3339 in UTC; `until` is exclusive. */
export interface OpenInterval {
  /** When the calendar opens, or the start of the requested period if the calendar is already open. */
  readonly from: string;
  /** When the calendar closes, or the end of the requested period if the calendar is still open. */
  readonly until: string;
}

/** A business calendar, created by `defineCalendar`: the opening hours that count toward a deadline. */
export interface Calendar {
  /** The IANA time zone of the opening hours, such as `Europe/Berlin`. */
  readonly timeZone: string;
  /**
   * Adds a duration to a time. Days in the duration are working days. Hours, minutes, and seconds count only while the
   * calendar is open.
   *
   * @param time an RFC 3339 time.
   * @param duration an ISO 8601 duration of whole days, hours, minutes, and seconds, such as `PT8H` or `P1DT4H`.
   * @returns an RFC 3339 time in UTC; the end of the year 9999 if the calendar is not open long enough before then.
   * @throws RangeError for an invalid time, or for a duration that is invalid, negative, or in weeks, months, years, or
   *   fractional days.
   */
  add(time: string, duration: string): string;
  /**
   * Returns the open time between two times, in milliseconds; 0 if `until` is not after `from`.
   *
   * @param from an RFC 3339 time.
   * @param until an RFC 3339 time.
   * @returns the open time, in milliseconds.
   * @throws RangeError for an invalid time.
   */
  between(from: string, until: string): number;
  /**
   * Returns the spans between two times during which the calendar is open, in order and without overlaps.
   *
   * @param from an RFC 3339 time.
   * @param until an RFC 3339 time.
   * @returns the spans, cut off at `from` and `until`.
   * @throws RangeError for an invalid time.
   */
  openIntervals(from: string, until: string): readonly OpenInterval[];
}
