import { isDeepStrictEqual } from 'node:util';

/** Compares two JSON texts by value: white space and the order of members are ignored. */
export const isSameJson = (a: string, b: string): boolean =>
  a === b || isDeepStrictEqual(JSON.parse(a), JSON.parse(b));
