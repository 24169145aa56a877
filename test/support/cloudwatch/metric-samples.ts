/** A value that a service reported for a minute. */
interface Sample {
  readonly value: number;
  /** The first minute at the end of which CloudWatch has the value. */
  readonly visibleFrom: number;
}

/** The statistics that alarms use. */
export type Statistic = 'Sum' | 'Maximum';

/** The raw values of one metric, by minute. */
export class MetricSamples {
  readonly #byMinute: Sample[][] = [];

  /**
   * Adds a value.
   *
   * @param minute the minute of the value's timestamp
   * @param reportedIn the minute when the service reports it. Default: `minute`
   */
  add(minute: number, value: number, reportedIn = minute): void {
    (this.#byMinute[minute] ??= []).push({ value, visibleFrom: reportedIn });
  }

  /**
   * Aggregates the values of the minutes from `from` (inclusive) to `to` (exclusive).
   *
   * @param now the minute at the end of which a value must be visible to be included
   * @returns undefined if there are no values
   */
  aggregate(statistic: Statistic, from: number, to: number, now: number): number | undefined {
    let result: number | undefined;
    for (let minute = from; minute < to; minute++)
      for (const { value, visibleFrom } of this.#byMinute[minute] ?? [])
        if (visibleFrom <= now)
          result =
            statistic === 'Sum' ? (result ?? 0) + value : Math.max(result ?? -Infinity, value);
    return result;
  }
}
