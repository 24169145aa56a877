/** One place at which two JSON values differ. */
export interface Change {
  /** Where: names of members and indexes, from the outside in. */
  readonly path: readonly (string | number)[];
  readonly kind: 'added' | 'removed' | 'changed';
  /** What was there; undefined where it is new. */
  readonly before?: unknown;
  /** What is there; undefined where it is gone. */
  readonly after?: unknown;
}

/** What differs between two JSON values, at the innermost places, in the order of the later one. */
export function diff(
  before: unknown,
  after: unknown,
  path: readonly (string | number)[] = [],
): Change[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      member(index < before.length, before[index], index < after.length, after[index], [
        ...path,
        index,
      ]),
    );
  }
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...names].flatMap((name) =>
      member(Object.hasOwn(before, name), before[name], Object.hasOwn(after, name), after[name], [
        ...path,
        name,
      ]),
    );
  }
  return [{ path, kind: 'changed', before, after }];
}

function member(
  wasThere: boolean,
  before: unknown,
  isThere: boolean,
  after: unknown,
  path: readonly (string | number)[],
): Change[] {
  if (!wasThere) return [{ path, kind: 'added', after }];
  if (!isThere) return [{ path, kind: 'removed', before }];
  return diff(before, after, path);
}

/** A place in JSON as people write it: `app.NBC.token`, `items[3]`, `["a name"].x`. */
export function placeName(path: readonly (string | number)[]): string {
  const text = path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join('');
  return text.replace(/^\./, '') || 'state';
}

/** A JSON value that has members with names. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
