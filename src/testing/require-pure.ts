import { shortJson } from '../common/short-json.ts';
import type { Json } from '../core/json/json.ts';
import { jsonChanges } from '../core/json/json-changes.ts';
import { pointerOf } from '../core/json/json-pointer.ts';
import { parseJson } from '../core/json/parse-json.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Calls a model's code twice, the second time with a system clock that is a day ahead, and returns the first result.
 *
 * @param purpose the purpose of the call, for the error message, such as `on order.placed`.
 * @param call calls the code. The arguments must be the same each time, even if the code mutates them.
 * @param read returns the part of the result that must be the same each time.
 * @throws Error with the first difference between the results.
 */
export function requirePure<Result>(
  purpose: string,
  call: () => Result,
  read: (result: Result) => object,
): Result {
  const result = call();
  // Serialize the result before the second call, which could mutate it.
  const first = JSON.stringify(read(result));
  const second = JSON.stringify(read(aDayLater(call)));
  if (first === second) return result;
  const [change] = jsonChanges(parseJson(first), parseJson(second));
  if (!change) return result;
  const { path, before, after } = change;
  throw new Error(
    `given: the model is not pure: ${purpose}, ${pointerOf(path)} is ${shown(before)}, but ${shown(after)} if the model ` +
      'runs again a day later; take times and ids from the event, not from the system clock or random numbers',
  );
}

const shown = (value: Json | undefined) => (value === undefined ? 'missing' : shortJson(value));

/** Calls synchronous code with a system clock that is a day ahead. */
function aDayLater<Result>(call: () => Result): Result {
  const { Date: Original } = globalThis;
  const later = () => Original.now() + dayMs;
  globalThis.Date = new Proxy(Original, {
    construct: (target, given, constructor) =>
      Reflect.construct(target, given.length > 0 ? given : [later()], constructor) as Date,
    apply: () => new Original(later()).toString(),
    get: (target, name, receiver) => (name === 'now' ? later : Reflect.get(target, name, receiver)),
  });
  try {
    return call();
  } finally {
    globalThis.Date = Original;
  }
}
