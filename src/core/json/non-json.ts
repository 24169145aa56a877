import { placeText } from './json-place.ts';

/**
 * Finds the first value that JSON would change or drop, such as NaN, a Date, or a function. Undefined properties are
 * allowed: JSON omits them.
 *
 * @returns the path and the kind of the value, such as `state.items[3] is NaN`; undefined if there is none.
 */
export function findNonJson(value: unknown, name = 'state'): string | undefined {
  const found = nonJsonOrCycleIn(value);
  return found && `${name}${placeText(found.path)} is ${found.kind}`;
}

interface NonJson {
  readonly path: (string | number)[];
  readonly kind: string;
}

/** Searches for a cycle only if an unlimited search exhausts the call stack, because states rarely contain a cycle. */
function nonJsonOrCycleIn(value: unknown): NonJson | undefined {
  try {
    return nonJsonIn(value);
  } catch (error) {
    const cycle = error instanceof RangeError ? cycleIn(value, new Set()) : undefined;
    if (cycle) return cycle;
    throw error;
  }
}

function cycleIn(value: unknown, ancestors: Set<unknown>): NonJson | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (ancestors.has(value)) return { path: [], kind: 'a circular reference' };
  ancestors.add(value);
  for (const [key, item] of Object.entries(value)) {
    const found = cycleIn(item, ancestors);
    if (found) return at(Array.isArray(value) ? Number(key) : key, found);
  }
  ancestors.delete(value);
  return undefined;
}

/** Builds a path only for a value that is not JSON, because most states contain only JSON. */
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
  if (!isOfPlainObject(prototype)) {
    const name = value.constructor?.name ?? 'class instance';
    return { path: [], kind: `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}` };
  }
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const found = item === undefined ? undefined : nonJsonIn(item);
    if (found) return at(key, found);
  }
  return undefined;
}

/**
 * Returns true for the prototype of a plain object, even if the object is from another realm. In Jest, for example,
 * `structuredClone` returns objects whose prototype is the `Object.prototype` of another realm.
 */
const isOfPlainObject = (prototype: unknown) =>
  prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;

const at = (name: string | number, { path, kind }: NonJson): NonJson => ({
  path: [name, ...path],
  kind,
});
