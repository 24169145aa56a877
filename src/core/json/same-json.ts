import { isDeepStrictEqual } from 'node:util';
import { parseJson } from './parse-json.ts';

/** Compares two JSON texts by value, ignoring white space and the order of members. */
export const isSameJson = (a: string, b: string): boolean =>
  a === b || isDeepStrictEqual(parseJson(a), parseJson(b));
