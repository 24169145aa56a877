import { isJsonObject, type Json } from './json.ts';
import type { JsonPlace } from './json-place.ts';

/** A difference between two JSON values: a member or element that was added, removed, or changed. */
export interface JsonChange {
  readonly path: JsonPlace;
  /** The earlier value; omitted if the member or element was added. */
  readonly before?: Json;
  /** The later value; omitted if the member or element was removed. */
  readonly after?: Json;
}

/**
 * Finds the innermost differences between two JSON values. The order of members is ignored.
 *
 * @yields one difference at a time, so a caller that needs only a few differences does not have to wait for thousands.
 */
export function* jsonChanges(
  before: Json,
  after: Json,
  path: JsonPlace = [],
): Generator<JsonChange> {
  if (Object.is(before, after)) return;
  const earlier = membersOf(before);
  const later = membersOf(after);
  if (!earlier || !later || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, before, after };
    return;
  }
  for (const name of new Set([...later.keys(), ...earlier.keys()])) {
    const place = [...path, name];
    if (!earlier.has(name)) yield { path: place, after: later.get(name)! };
    else if (!later.has(name)) yield { path: place, before: earlier.get(name)! };
    else yield* jsonChanges(earlier.get(name)!, later.get(name)!, place);
  }
}

function membersOf(value: Json): Map<string | number, Json> | undefined {
  if (Array.isArray(value)) return new Map<number, Json>((value as Json[]).entries());
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}
