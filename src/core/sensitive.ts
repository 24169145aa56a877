import { isJsonObject, type Json } from './json.ts';

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

const pathPattern = /^[^.]+(?:\.[^.]+)*$/;

/** What is wrong with what a model says of its fields; undefined: nothing. */
export function wrongPaths({ state = [], events = {} }: Sensitive): string | undefined {
  const bad = [...state, ...Object.values(events).flat()].find((path) => !pathPattern.test(path));
  return bad === undefined ? undefined : `${JSON.stringify(bad)} is no path of a sensitive field`;
}

/** The value with what is at some paths changed. What is not there is not there after it either. */
export function changeAt(
  value: Json,
  paths: readonly string[],
  change: (value: Json) => Json,
): Json {
  return paths.reduce((changed, path) => changeOne(changed, path.split('.'), change), value);
}

function changeOne(
  value: Json,
  [name, ...rest]: readonly string[],
  change: (value: Json) => Json,
): Json {
  if (name === undefined) return change(value);
  const isHere = (key: string) => name === '*' || name === key;
  if (Array.isArray(value))
    return value.map((each: Json, index) =>
      isHere(String(index)) ? changeOne(each, rest, change) : each,
    );
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      isHere(key) ? changeOne(each, rest, change) : each,
    ]),
  );
}
