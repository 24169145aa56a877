import { isJsonObject, type Json } from '../json/json.ts';
import type { IsFieldPath } from './field-path.ts';

/**
 * Which fields of a model are personal, by their paths: names with dots between them, `*` for whatever
 * name or place in an array: `address`, `contact.email`, `passengers.*.name`.
 */
export interface Sensitive {
  /** Of the state. */
  readonly state?: readonly string[];
  /** Of the data of events, by event type. */
  readonly events?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What a model with such a state may mark: the compiler finds a path that is written out and that the
 * state's type does not have.
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

/** What is wrong with what a model says of its fields; undefined: nothing. */
export function sensitivePathViolation({ state = [], events = {} }: Sensitive): string | undefined {
  const bad = [...state, ...Object.values(events).flat()].find((path) => !pathPattern.test(path));
  return bad === undefined ? undefined : `${JSON.stringify(bad)} is no path of a sensitive field`;
}

/**
 * The value with everything at some paths changed. Paths that match nothing add nothing.
 *
 * @param isClosed whether to leave a value alone that paths lead into; default: none is left alone.
 */
export function mapAtPaths(
  value: Json,
  paths: readonly string[],
  change: (value: Json) => Json,
  isClosed: (value: Json) => boolean = () => false,
): Json {
  // Deeper paths first: `contact.*` must not find the members of a value that replaced `contact`.
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
