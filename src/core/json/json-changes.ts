import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type Json } from './json.ts';
import { pointerOf } from './json-pointer.ts';

/** A place at which two JSON values differ. */
export interface JsonChange {
  /** Where, as a JSON Pointer (RFC 6901); empty for the whole value. */
  readonly path: string;
  /** What was there; left out where it is new. */
  readonly before?: Json;
  /** What is there; left out where it is gone. */
  readonly after?: Json;
}

/** Whether two texts are the same JSON, in whatever order their members stand. */
export const isSameJson = (a: string, b: string) =>
  a === b || isDeepStrictEqual(JSON.parse(a), JSON.parse(b));

/**
 * The innermost places at which two JSON values differ.
 *
 * @yields one after the other, so that whoever needs a few need not wait for thousands
 */
export function* jsonChanges(before: Json, after: Json, path = ''): Generator<JsonChange> {
  if (isDeepStrictEqual(before, after)) return;
  const [old, now] = [membersOf(before), membersOf(after)];
  if (!old || !now || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, before, after };
    return;
  }
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const inner = `${path}${pointerOf([name])}`;
    const [was, is] = [old.get(name), now.get(name)];
    if (was === undefined) yield { path: inner, after: is };
    else if (is === undefined) yield { path: inner, before: was };
    else yield* jsonChanges(was, is, inner);
  }
}

function membersOf(value: Json): Map<string, Json> | undefined {
  return Array.isArray(value) || isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}
