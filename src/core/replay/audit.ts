import * as v from 'valibot';
import type { Json } from '../json/json.ts';
import type { ReplayResult } from './replay-result.ts';

/*
 * What an instance came to, held against its history. It goes from a model's Lambda by the API to whoever asks, so
 * that it is a schema, which each of them reads it by.
 */

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const json = v.pipe(
  v.custom<Json>(() => true),
  v.description('any JSON'),
);
const change = <Value extends v.GenericSchema>(value: Value) =>
  v.object({ before: value, after: value });
const place = v.object({
  version: count,
  id: v.string(),
  source: v.string(),
  type: v.string(),
  time: v.string(),
});
const timer = v.object({ name: v.string(), dueAt: v.string() });

// Named, because a compiler that reads the whole of it from a package's types gives up.
const replayed: v.GenericSchema<unknown, ReplayResult> = v.object({
  events: count,
  turned: v.pipe(
    v.array(
      v.object({
        turn: v.picklist(['rejected', 'applied', 'reason', 'over']),
        event: place,
        before: v.nullable(v.string()),
        after: v.nullable(v.string()),
      }),
    ),
    v.description('the first events that would fare otherwise'),
  ),
  turns: v.pipe(count, v.description('how many would')),
  fault: v.optional(v.object({ event: place, reason: v.string(), behind: count })),
  status: v.optional(change(v.string())),
  state: v.optional(
    v.object({
      since: place,
      changes: v.array(
        v.object({ path: v.string(), before: v.optional(json), after: v.optional(json) }),
      ),
      more: v.boolean(),
    }),
  ),
  done: v.optional(change(v.boolean())),
  progress: v.optional(change(v.nullable(v.number()))),
  timers: v.optional(change(v.array(timer))),
  isForgotten: v.boolean(),
});

/** What holding an instance against its history came to. */
export const auditSchema = v.object({
  transaction: v.string(),
  version: v.pipe(count, v.description('its newest commit; 0 where it has none')),
  row: v.pipe(
    v.nullable(v.picklist(['right', 'missing', 'wrong'])),
    v.description('its status row; null where nobody looked'),
  ),
  replayed: v.pipe(
    v.nullable(replayed),
    v.description('what its history folds to; null where it was not folded'),
  ),
  isAsFolded: v.pipe(
    v.boolean(),
    v.description('false where a rebuild would leave it otherwise than it is'),
  ),
  skipped: v.pipe(v.boolean(), v.description('true where it has not changed since then')),
  error: v.pipe(v.nullable(v.string()), v.description('why it could not be folded')),
});
export type Audit = Readonly<v.InferOutput<typeof auditSchema>>;

/** What a rebuild would do to an instance: all of it, its status row alone, or nothing. */
export function requiredRebuild({ row, isAsFolded }: Audit): 'all' | 'row' | 'nothing' {
  if (!isAsFolded) return 'all';
  return row === 'missing' || row === 'wrong' ? 'row' : 'nothing';
}
