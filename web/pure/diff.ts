import { escapeJson } from '../../src/common/escape.ts';
import type { Json } from '../../src/core/json/json.ts';
import { type JsonChange, jsonChanges } from '../../src/core/json/json-changes.ts';
import { type JsonPlace, placeText } from '../../src/core/json/json-place.ts';

/** A difference between two states at a path. */
export interface Change extends JsonChange {
  readonly kind: 'added' | 'removed' | 'changed';
}

/** Lists the innermost paths where two states differ, in the order of the later state. */
export const diff = (before: unknown, after: unknown): Change[] =>
  jsonChanges(before as Json, after as Json)
    .map((change) => ({ ...change, kind: kindOf(change) }))
    .toArray();

function kindOf(change: JsonChange): Change['kind'] {
  if (!('before' in change)) return 'added';
  return 'after' in change ? 'changed' : 'removed';
}

/** Formats a path in a state in JavaScript notation, such as `app.NBC.token`, `items[3]`, or `["a name"].x`. */
export const placeName = (path: JsonPlace): string =>
  escapeJson(placeText(path)).replace(/^\./, '') || 'state';
