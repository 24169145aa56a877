import { isJsonObject, type Json } from '../json/json.ts';
import type { IsFieldPath } from './field-path.ts';

/**
 * The fields of a model that contain personal data, as paths. A path consists of names separated by dots, and `*` for
 * any name or array index, such as `address`, `contact.email`, or `passengers.*.name`.
 */
export interface Sensitive {
  /** The paths of personal data in the state. */
  readonly state?: readonly string[] | undefined;
  /** The paths of personal data in events' data, by event type. */
  readonly events?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * The sensitive fields that a model with this state type may declare. A literal path that does not exist in the type
 * is a compile-time error.
 */
export type SensitiveIn<State, Marked extends Sensitive> = Marked extends {
  readonly state: infer Paths extends readonly string[];
}
  ? { readonly state: { readonly [Place in keyof Paths]: CheckedPath<State, Paths[Place]> } }
  : unknown;

type CheckedPath<State, Path extends string> = string extends Path
  ? Path
  : IsFieldPath<State, Path> extends true
    ? Path
    : `${Path}: the state has no such field`;

const pathPattern = /^[^.]+(?:\.[^.]+)*$/;

/** Returns an error message about the first invalid path; undefined if all paths are valid. */
export function sensitivePathViolation({ state = [], events = {} }: Sensitive): string | undefined {
  const bad = [...state, ...Object.values(events).flat()].find((path) => !pathPattern.test(path));
  return bad === undefined
    ? undefined
    : `${JSON.stringify(bad)} is not a valid path of a sensitive field; separate names with single dots, as in contact.email`;
}

/**
 * Replaces every value at the given paths. Paths that match nothing are ignored.
 *
 * @param isClosed returns true for a value whose members must not be replaced. Default: never.
 */
export function mapAtPaths(
  value: Json,
  paths: readonly string[],
  change: (value: Json) => Json,
  isClosed: (value: Json) => boolean = () => false,
): Json {
  // Apply deeper paths first: otherwise, `contact.*` would match members of the value that replaced `contact`.
  return paths
    .map((path) => path.split('.'))
    .toSorted((a, b) => b.length - a.length)
    .reduce((changed, path) => mapAtPath(changed, path, change, isClosed), value);
}

function mapAtPath(
  value: Json,
  [name, ...rest]: readonly string[],
  change: (value: Json) => Json,
  isClosed: (value: Json) => boolean,
): Json {
  if (name === undefined) return change(value);
  if (isClosed(value)) return value;
  const isHere = (key: string) => name === '*' || name === key;
  if (Array.isArray(value))
    return value.map((each: Json, index) =>
      isHere(String(index)) ? mapAtPath(each, rest, change, isClosed) : each,
    );
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isHere(key) ? mapAtPath(each, rest, change, isClosed) : each,
    ]),
  );
}
