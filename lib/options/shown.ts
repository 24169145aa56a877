import { inspect } from 'node:util';
import { Token } from 'aws-cdk-lib';

/** Returns an invalid value as an error message shows it. */
export function shown(value: unknown): string {
  if (Token.isUnresolved(value)) return 'a token, which has no value during synthesis';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return value.name ? `the function ${value.name}` : 'a function';
  return isPlain(value) ? inspect(value, { depth: 0, breakLength: Infinity }) : String(value);
}

/** Returns true for a list or an object literal. Other objects, such as constructs, can have hundreds of properties. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
