import { placeText } from './json-place.ts';

/**
 * Finds the first value that JSON would change or drop, such as NaN, a Date, or a function. Undefined properties are
 * allowed: JSON omits them.
 *
 * @returns the path and the kind of the value, such as `state.items[3] is NaN`; undefined if there is none.
 */
export function findNonJson(value: unknown, name = 'state'): string | undefined {
  const found = nonJsonIn(value);
  return found && `${name}${placeText(found.path)} is ${found.kind}`;
}

interface NonJson {
  readonly path: (string | number)[];
  readonly kind: string;
}

/** Builds the path only after finding a value because most states contain only JSON. */
function nonJsonIn(value: unknown): NonJson | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { path: [], kind: String(value) };
  if (typeof value !== 'object')
    return { path: [], kind: value === undefined ? 'undefined' : `a ${typeof value}` };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = nonJsonIn(value[index]);
      if (found) return at(index, found);
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return { path: [], kind: `a ${value.constructor?.name ?? 'class instance'}` };
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const found = item === undefined ? undefined : nonJsonIn(item);
    if (found) return at(key, found);
  }
  return undefined;
}

const at = (name: string | number, { path, kind }: NonJson): NonJson => ({
  path: [name, ...path],
  kind,
});
