import type { Json } from '../../core/json/json.ts';
import { parseJson } from '../../core/json/parse-json.ts';

/**
 * Parses JSON that Milepost stored. If the data is damaged, throws a TypeError, which is a permanent error and
 * therefore affects only the instance with this data.
 *
 * @typeParam Value the type of the value. This function does not check the type.
 */
export function parseStored<Value = Json>(json: string): Value {
  try {
    return parseJson<Value>(json);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new TypeError(`stored data is damaged: ${cause.message}`, { cause });
  }
}
