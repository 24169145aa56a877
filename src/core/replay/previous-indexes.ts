import type { Json } from '../json/json.ts';

/**
 * For each element of an array, where it was before a change; undefined for a new one. An element is
 * followed by its value, wherever in the array it is: one that was taken out at the front makes no
 * others new. Where its value was not there before, it is what was at the same place and is not
 * anywhere any more: an element that changed where it is.
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
  // From the back, because what is left is taken from the back: the first ones go together.
  for (let index = after.length - 1; index >= 0; index--) {
    if (places[index] !== undefined) continue;
    places[index] = left.get(JSON.stringify(after[index]))?.pop();
    if (places[index] !== undefined) moved.add(places[index]!);
  }
  return places.map((place, index) =>
    place === undefined && index < before.length && !moved.has(index) ? index : place,
  );
}

/** Most elements are what they were, and most of those need not be written down to see it. */
const isSame = (a: Json, b: Json | undefined) =>
  a === b ||
  (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
