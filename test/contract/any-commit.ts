import fc from 'fast-check';
import type { Commit, Entry } from '../../src/core/commit.ts';
import type { InstanceKey } from '../../src/core/event.ts';
import { commitOf, entryOf, seenAfter } from './commits.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const time = fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
/** JSON as it is kept: written by `JSON.stringify` from what `JSON.parse` gave. */
const json = fc.jsonValue().map((value) => JSON.stringify(JSON.parse(JSON.stringify(value))));
const share = fc.integer({ min: 0, max: 100 }).map((cents) => cents / 100);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const milestone = fc
  .record({ id: text, at: maybe(time), expectedBy: maybe(time) })
  .map((value) => JSON.parse(JSON.stringify(value)) as typeof value);

const description = fc.record(
  { status: text, done: fc.boolean(), progress: share, milestones: fc.array(milestone) },
  { requiredKeys: ['status'] },
);

const entry = fc
  .record({
    id: text,
    source: text,
    type: text,
    time,
    replyTo: maybe(fc.record({ model: text, transaction: text })),
    data: json,
    reason: fc.option(text),
    status: text,
    state: json,
  })
  .map(({ id, source, type, time, replyTo, reason, ...rest }) => (key: InstanceKey): Entry => ({
    ...rest,
    event: { ...entryOf(key).event, id, source, type, time, ...(replyTo ? { replyTo } : {}) },
    outcome: reason === null ? 'applied' : 'rejected',
    reason,
  }));

/** Any commit that the core could make, of an instance that is given later. */
export const aCommit = fc
  .record({
    version: fc.integer({ min: 1, max: 9_999_999_999 }),
    at: time,
    startedAt: time,
    statusSince: time,
    modelVersion: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    progress: fc.option(share),
    description,
    entries: fc.array(entry, { minLength: 1, maxLength: 5 }),
    seen: fc.nat(130).map((events) => seenAfter(events)),
    marks: fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      fc.bigInt({ min: 0n, max: 1n << 186n }).map(String),
      { noNullPrototype: true },
    ),
  })
  .map(({ version, entries, ...rest }) => (key: InstanceKey): Commit => {
    const made = entries.map((entryFor) => entryFor(key));
    return commitOf(key, version, { ...rest, entries: made, state: made.at(-1)!.state });
  });
