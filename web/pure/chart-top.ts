/** The factor by which a value must exceed the usual values for the chart to cut it off. */
const outstanding = 8;

/**
 * Returns the value at the top of a bar chart: the maximum, unless it would flatten all other bars, as the minute of an
 * import does. Then, it is twice the value that four of five bars do not exceed, and the chart cuts higher bars off.
 */
export function chartTop(values: readonly number[]): number {
  const bars = values.filter((value) => value > 0).toSorted((a, b) => a - b);
  const most = bars.at(-1) ?? 1;
  const usual = bars[Math.floor(0.8 * (bars.length - 1))] ?? 1;
  return most > outstanding * usual ? 2 * usual : most;
}
