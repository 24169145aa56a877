/** The ways to reduce the items of a job to one number. */
export const reductions = ['sum', 'min', 'max', 'count'] as const;
export type Reduction = (typeof reductions)[number];

const combine = {
  sum: (a: number, b: number) => a + b,
  count: (a: number, b: number) => a + b,
  min: (a: number, b: number) => Math.min(a, b),
  max: (a: number, b: number) => Math.max(a, b),
};

/** Returns the result for the items of a chunk; null if there are no items. */
export function mapItems(map: Reduction, items: readonly number[]): number | null {
  if (items.length === 0) return null;
  return map === 'count' ? items.length : items.reduce(combine[map]);
}

/**
 * Reduces the values of a job's chunks in the order of the chunks. Returns null for the minimum or maximum of no
 * values.
 */
export function reduceValues(map: Reduction, values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length > 0) return numbers.reduce(combine[map]);
  return map === 'sum' || map === 'count' ? 0 : null;
}

/** Returns true if numbers can be added in any order without overflowing a double. */
export const canAdd = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + Math.abs(number), 0) <= 1e308;

/** Returns true if a value is null or finite. A sum that overflows is not finite. */
export const isHeld = (value: number | null) => value === null || Number.isFinite(value);
