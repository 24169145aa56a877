import { isDeepStrictEqual } from 'node:util';
import { parseJson } from './parse-json.ts';

/** Compares two JSON texts by value: white space and the order of members are ignored. */
export const isSameJson = (a: string, b: string): boolean =>
  a === b || isDeepStrictEqual(parseJson(a), parseJson(b));
