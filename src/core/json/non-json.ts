/**
 * Where a value holds something that JSON would change or drop (NaN, a Date, a
 * function, ...), as a path and what is there; undefined when there is nothing.
 * A property that is undefined is allowed: JSON leaves it out.
 */
export function findNonJson(value: unknown, name = 'state'): string | undefined {
  const found = nonJsonIn(value);
  return found === undefined ? undefined : `${name}${found}`;
}

/** What follows the value's own name. The path grows on the way back: mostly there is none. */
function nonJsonIn(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ` is ${String(value)}`;
  if (typeof value !== 'object')
    return ` is ${value === undefined ? 'undefined' : `a ${typeof value}`}`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = nonJsonIn(value[index]);
      if (found !== undefined) return `[${index}]${found}`;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return ` is a ${value.constructor?.name ?? 'class instance'}`;
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    const found = item === undefined ? undefined : nonJsonIn(item);
    if (found !== undefined) return `.${key}${found}`;
  }
  return undefined;
}
