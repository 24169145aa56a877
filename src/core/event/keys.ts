import type { Model } from '../model/model.ts';
import { callModel } from '../model/model-fault.ts';

/** What business calls an instance by, besides its transaction id: by name, one value or several. */
export type Keys = Readonly<Record<string, string | readonly string[] | undefined>>;

const namePattern = /^[a-z][a-zA-Z0-9_-]{0,31}$/;
const maximumValueLength = 256;
const maximumKeys = 10;

/**
 * What an instance in a state is found by: texts such as `customer:42`, in order, each once.
 *
 * @throws TypeError for what can be no keys.
 */
export function keysOf(model: Pick<Model, 'keys'>, state: unknown): string[] {
  const named: unknown = callModel('keys', () => model.keys?.(state)) ?? {};
  if (typeof named !== 'object' || named === null) throw new TypeError('keys gave no object');
  const keys = Object.entries(named).flatMap(([name, value]) => keysNamed(name, value));
  const each = [...new Set(keys)].toSorted();
  if (each.length > maximumKeys)
    throw new TypeError(`keys gave ${each.length} keys, and there may be ${maximumKeys}`);
  return each;
}

function keysNamed(name: string, value: unknown): string[] {
  if (!namePattern.test(name))
    throw new TypeError(`keys gave ${JSON.stringify(name)}, which is no name of a key`);
  if (value === undefined) return [];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((each) => {
    if (
      typeof each === 'string' &&
      each !== '' &&
      each.length <= maximumValueLength &&
      each.isWellFormed()
    )
      return `${name}:${each}`;
    throw new TypeError(`the key ${name} must have 1 to ${maximumValueLength} characters`);
  });
}

/** Whether a text can be a key: a name, a colon and a value. */
export function isKey(text: string): boolean {
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1);
  return (
    namePattern.test(text.slice(0, Math.max(0, colon))) &&
    value !== '' &&
    value.length <= maximumValueLength
  );
}
