import * as v from 'valibot';
import type { Json } from '../json/json.ts';
import type { ReplayResult } from './replay-result.ts';

/*
 * The schema of an audit: the result of comparing an instance with its history. A model's Lambda function produces
 * audits, and the API and its callers parse them.
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
const times = v.object({ startedAt: v.nullable(v.string()), statusSince: v.string() });
const timer = v.object({ name: v.string(), dueAt: v.string() });

// Projects that use the package need this explicit type: the inferred type is too deeply nested for the compiler.
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
    v.description('the first events that would have a different outcome'),
  ),
  turns: v.pipe(count, v.description('the number of events that would have a different outcome')),
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
  times: v.optional(change(times)),
  isForgotten: v.boolean(),
});

/** The result of comparing an instance with its history. */
export const auditSchema = v.object({
  transaction: v.string(),
  version: v.pipe(
    count,
    v.description('the version of the latest commit; 0 if the instance has none'),
  ),
  row: v.pipe(
    v.nullable(v.picklist(['right', 'missing', 'wrong'])),
    v.description('the verdict on the status row; null if the row was not checked'),
  ),
  replayed: v.pipe(
    v.nullable(replayed),
    v.description('the result of folding the history again; null if it was not folded'),
  ),
  isAsFolded: v.pipe(
    v.boolean(),
    v.description('false if a rebuild would correct the instance with a new commit'),
  ),
  skipped: v.pipe(
    v.boolean(),
    v.description(
      'true if the instance was not checked because its latest change was before `since`',
    ),
  ),
  error: v.pipe(
    v.nullable(v.string()),
    v.description('why the instance could not be compared with its history; null without an error'),
  ),
});
export type Audit = Readonly<v.InferOutput<typeof auditSchema>>;

/** Returns what a rebuild would change: the whole instance, only its status row, or nothing. */
export function requiredRebuild({ row, isAsFolded }: Audit): 'all' | 'row' | 'nothing' {
  if (!isAsFolded) return 'all';
  return row === 'missing' || row === 'wrong' ? 'row' : 'nothing';
}
