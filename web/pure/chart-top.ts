/** Bars are cut off if the maximum is more than this many times the value that 80% of the bars do not exceed. */
const outstanding = 8;

/**
 * Returns the value at the top of a bar chart. Usually, this is the maximum. But an exceptional maximum, such as in the
 * minute of an import, would flatten all other bars. In this case, the top is twice the value that 80% of the bars do
 * not exceed, and taller bars are cut off.
 */
export function chartTop(values: readonly number[]): number {
  const bars = values.filter((value) => value > 0).toSorted((a, b) => a - b);
  const most = bars.at(-1) ?? 1;
  const usual = bars[Math.floor(0.8 * (bars.length - 1))] ?? 1;
  return most > outstanding * usual ? 2 * usual : most;
}
