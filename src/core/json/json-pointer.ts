import { isJsonObject, type Json } from './json.ts';
import type { JsonPlace } from './json-place.ts';

/** The member names and array indexes that lead to a value, as strings, outermost first. */
export type JsonPath = readonly string[];

/**
 * Formats a path as a JSON Pointer: `/app/mail/token`; empty for the whole value.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6901
 */
export const pointerOf = (path: JsonPlace): string =>
  path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Parses a JSON Pointer; returns undefined if the string is not valid. */
export function pathIn(pointer: string): JsonPath | undefined {
  if (!/^(?:\/(?:[^~/]|~[01])*)*$/u.test(pointer)) return undefined;
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns a member of an object or an element of an array; undefined if it does not exist. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value))
    return /^(?:0|[1-9]\d*)$/.test(name) ? (value as Json[])[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the value at a path; undefined if there is none. */
export const valueAt = (value: Json | undefined, path: JsonPath): Json | undefined =>
  path.reduce(memberOf, value);
