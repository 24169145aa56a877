import type { Json } from '../json/json.ts';

/**
 * Returns the index that each element of an array had before a change; undefined for a new element. Elements are first
 * matched by value at any index, so removing the first element does not make the remaining elements new. An element
 * without a match counts as modified in place if the element that was at its index is gone.
 */
export function previousIndexes(
  after: readonly Json[],
  before: readonly Json[],
): (number | undefined)[] {
  const places = after.map((value, index) => (isSame(value, before[index]) ? index : undefined));
  const left = new Map<string, number[]>();
  for (const [index, value] of before.entries()) {
    if (places[index] === index) continue;
    const text = JSON.stringify(value);
    const same = left.get(text);
    if (same) same.push(index);
    else left.set(text, [index]);
  }
  const moved = new Set<number>();
  // Matches are popped from the end, so iterate backward to keep equal elements in order.
  for (let index = after.length - 1; index >= 0; index--) {
    if (places[index] !== undefined) continue;
    places[index] = left.get(JSON.stringify(after[index]))?.pop();
    if (places[index] !== undefined) moved.add(places[index]!);
  }
  return places.map((place, index) =>
    place === undefined && index < before.length && !moved.has(index) ? index : place,
  );
}

/** Compares two elements by value. Formats them as JSON only if both are objects, because formatting is slow. */
const isSame = (a: Json, b: Json | undefined) =>
  a === b ||
  (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
