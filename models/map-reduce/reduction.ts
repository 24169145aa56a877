/** How the items of a job become one number. */
export const reductions = ['sum', 'min', 'max', 'count'] as const;
export type Reduction = (typeof reductions)[number];

const combine = {
  sum: (a: number, b: number) => a + b,
  count: (a: number, b: number) => a + b,
  min: (a: number, b: number) => Math.min(a, b),
  max: (a: number, b: number) => Math.max(a, b),
};

/** What a chunk of items comes to; null for one with no items. */
export function mapItems(map: Reduction, items: readonly number[]): number | null {
  if (items.length === 0) return null;
  return map === 'count' ? items.length : items.reduce(combine[map]);
}

/** What the values of a job's chunks come to, taken in the chunks' order; null for no number. */
export function reduceValues(map: Reduction, values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length > 0) return numbers.reduce(combine[map]);
  return map === 'sum' || map === 'count' ? 0 : null;
}

/** Whether numbers can be added, in whatever order, without passing what a double holds. */
export const canAdd = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + Math.abs(number), 0) <= 1e308;

/** False for a sum that did pass it. */
export const isHeld = (value: number | null) => value === null || Number.isFinite(value);
