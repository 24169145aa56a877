import { placeText } from './json-place.ts';

/**
 * The maximum nesting depth of arrays and objects, which is safe for recursive code. The limit is twice the limit
 * for an event, so a state can contain the data of events.
 */
const maximumDepth = 200;

/**
 * Finds the first value that JSON would change or drop, such as NaN, a Date, or a function. Two exceptions are allowed:
 * undefined properties, which JSON omits, and -0, which becomes 0. A value that is nested too deeply or contains a
 * cycle is not allowed.
 *
 * @returns the path and the kind of the value, such as `state.items[3] is NaN`; undefined if there is none.
 */
export function findNonJson(value: unknown, name = 'state'): string | undefined {
  const first = nonJsonIn(value, 0);
  // Search for a cycle only in a value that is nested too deeply, because states rarely contain a cycle.
  const found = first === 'too deep' ? (cycleIn(value, new Set()) ?? tooDeep) : first;
  return found && `${name}${placeText(found.path)} is ${found.kind}`;
}

interface NonJson {
  readonly path: (string | number)[];
  readonly kind: string;
}

/** The path to the value would be too long to show. */
const tooDeep: NonJson = { path: [], kind: `nested more than ${maximumDepth} levels deep` };

function cycleIn(value: unknown, ancestors: Set<unknown>): NonJson | undefined {
  if (typeof value !== 'object' || value === null || ancestors.size > maximumDepth)
    return undefined;
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
function nonJsonIn(value: unknown, depth: number): NonJson | 'too deep' | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { path: [], kind: String(value) };
  if (typeof value !== 'object')
    return { path: [], kind: value === undefined ? 'undefined' : `a ${typeof value}` };
  if (depth === maximumDepth) return 'too deep';
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = nonJsonIn(value[index], depth + 1);
      if (found) return found === 'too deep' ? found : at(index, found);
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isOfPlainObject(prototype)) {
    const name = value.constructor?.name || 'class instance';
    return { path: [], kind: `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}` };
  }
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const found = item === undefined ? undefined : nonJsonIn(item, depth + 1);
    if (found) return found === 'too deep' ? found : at(key, found);
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
