import fc from 'fast-check';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { HistoryEntry } from '../../../src/core/history/history-entry.ts';
import type { Json } from '../../../src/core/json/json.ts';
import { commitOf, entryOf, seenAfter } from './commits.ts';

const nowhere: InstanceKey = { model: 'm', transaction: 't' };
const text = fc.string({ unit: 'binary', maxLength: 20 });
const time = fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
/** JSON in its stored form: `JSON.stringify` applied to the result of `JSON.parse`. */
const json = fc.jsonValue().map((value) => JSON.stringify(JSON.parse(JSON.stringify(value))));
const share = fc.integer({ min: 0, max: 100 }).map((cents) => cents / 100);

const milestone = fc.record(
  { id: text, at: time, expectedBy: time, late: fc.boolean() },
  { requiredKeys: ['id'], noNullPrototype: true },
);

const description = fc.record(
  { status: text, done: fc.boolean(), progress: share, milestones: fc.array(milestone) },
  { requiredKeys: ['status'], noNullPrototype: true },
);

const event = fc
  .record(
    {
      id: text,
      source: text,
      type: text,
      time,
      replyTo: fc.record({ model: text, transaction: text }, { noNullPrototype: true }),
    },
    { requiredKeys: ['id', 'source', 'type', 'time'], noNullPrototype: true },
  )
  .map((made) => ({ ...entryOf(nowhere).event, ...made }));

const value = json.map((made) => JSON.parse(made) as Json);
const effect = fc.oneof(
  fc.record(
    {
      kind: fc.constant('emit' as const),
      model: text,
      transaction: text,
      type: text,
      data: value,
      replyTo: fc.boolean(),
    },
    { requiredKeys: ['kind', 'model', 'transaction', 'type', 'data'], noNullPrototype: true },
  ),
  fc.record(
    { kind: fc.constant('notify' as const), type: text, data: value },
    { noNullPrototype: true },
  ),
);

const entry = fc
  .record({
    event,
    data: json,
    reason: fc.option(text),
    status: text,
    state: json,
    effects: fc.array(effect, { maxLength: 3 }),
  })
  .map(
    (made): HistoryEntry => ({ ...made, outcome: made.reason === null ? 'applied' : 'rejected' }),
  );

/** Any commit that the core can produce, always of the same instance. */
export const anyCommit = fc
  .record({
    version: fc.integer({ min: 1, max: 9_999_999_999 }),
    at: time,
    startedAt: fc.option(time),
    statusSince: time,
    modelVersion: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    progress: fc.option(share),
    lateAt: fc.option(time),
    riskAt: fc.option(time),
    description,
    entries: fc.array(entry, { minLength: 1, maxLength: 5 }),
    timers: fc.array(fc.record({ name: text, dueAt: time, run: text }, { noNullPrototype: true })),
    changes: fc.record(
      {
        from: text,
        reached: fc.array(text),
        atRisk: fc.array(text),
        late: fc.array(text),
        lateCleared: fc.array(text),
        done: fc.constant(true as const),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    seen: fc.nat(130).map((events) => seenAfter(events)),
    highWaterMarks: fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      fc.bigInt({ min: 0n, max: 1n << 186n }).map(String),
      { noNullPrototype: true },
    ),
  })
  .map(({ version, ...made }) =>
    commitOf(nowhere, version, { ...made, state: made.entries.at(-1)!.state }),
  );

/** Returns the same commit for another instance. */
export function ofInstance(key: InstanceKey, commit: Commit): Commit {
  const entries = commit.entries.map((each) => ({ ...each, event: { ...each.event, ...key } }));
  return { ...commit, ...key, entries };
}
