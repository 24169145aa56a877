import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import type { Model } from './model.ts';
import { callModel, InvalidResultError } from './model-fault.ts';

const namePattern = /^[a-z][a-zA-Z0-9_-]{0,31}$/;
const maximumValueLength = 256;
const maximumKeys = 10;

/**
 * Returns an instance's business keys, such as `customer:42`, sorted and without duplicates.
 *
 * @throws TypeError if the model returns invalid keys.
 */
export function keysOf(model: Pick<Model, 'keys'>, state: unknown): string[] {
  const named: unknown = callModel('keys', () => model.keys?.(state)) ?? {};
  if (typeof named !== 'object' || named === null)
    throw new InvalidResultError('keys must return an object');
  const keys = Object.entries(named).flatMap(([name, value]) => keysNamed(name, value));
  const each = [...new Set(keys)].toSorted();
  if (each.length > maximumKeys)
    throw new InvalidResultError(`keys returned ${each.length} keys; the limit is ${maximumKeys}`);
  return each;
}

function keysNamed(name: string, value: unknown): string[] {
  if (!namePattern.test(name))
    throw new TypeError(
      `keys returned ${JSON.stringify(name)}, which is not a valid key name; ` +
        'a name must have 1 to 32 characters from a-z, A-Z, 0-9, _, and -, and must start with a lowercase letter',
    );
  // In a state, which is JSON, a value that is absent or was erased is null.
  if (value === undefined || value === null) return [];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((each) => {
    if (
      typeof each === 'string' &&
      each !== '' &&
      hasAtMostCharacters(each, maximumValueLength) &&
      each.isWellFormed()
    )
      return `${name}:${each}`;
    throw new InvalidResultError(
      `each value of the key ${name} must be a string of 1 to ${maximumValueLength} characters`,
    );
  });
}

/** Returns true if a string has the format of a business key: a name, a colon, and a value. */
export function isKey(text: string): boolean {
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1);
  return (
    namePattern.test(text.slice(0, Math.max(0, colon))) &&
    value !== '' &&
    hasAtMostCharacters(value, maximumValueLength)
  );
}
