import { hash } from 'node:crypto';
import { shortSequence } from '../../../src/core/history/sequence.ts';
import { nameOf, type PutRecord, type RunLog } from '../log.ts';
import type { Instance, Letter } from './tables.ts';
import { firingOf, timersOf } from './timers.ts';

/** The position of a record in the stream, which identifies it. */
export const placeOf = ({ shard, sequence }: Pick<PutRecord, 'shard' | 'sequence'>) =>
  `${shard}:${sequence}`;

/**
 * Checks that every record has an outcome. Other checks report events that are in a history twice, or are both parked
 * and applied.
 */
export function* auditOutcomes(
  instances: readonly Instance[],
  letters: readonly Letter[],
  log: RunLog,
): Generator<string> {
  const had = new Set(
    instances.flatMap(({ key, history }) => history.map(({ name }) => `${key} ${name}`)),
  );
  const waiting = new Set(
    instances.flatMap(({ key, parked }) => parked.map(({ name }) => `${key} ${name}`)),
  );
  const parked = new Set(instances.flatMap((each) => each.parked.map(({ record }) => record)));
  const dead = new Set(letters.filter((each) => !each.parked).map(({ id }) => digestOf(id)));
  const putAgain = new Set([...log.putAgain].map(digestOf));
  const deletedIds = new Set([...log.deleted].map(digestOf));
  const deleted = new Set(
    log.puts.flatMap((put) => (deletedIds.has(recordDigest(put)) ? nameIn(put) : [])),
  );
  const running = new Set(
    instances.flatMap(({ key, commits }) =>
      commits
        .slice(-1)
        .flatMap((newest) => timersOf(newest).map((each) => `${key} ${firingOf(each)}`)),
    ),
  );
  for (const put of log.puts) {
    const digest = recordDigest(put);
    const isDead = dead.has(digest) || putAgain.has(digest);
    const { event } = put;
    const what = `record ${placeOf(put)} (${event ? nameOf(event) : 'no event'})`;
    const isKnown = !event || log.registered.has(event.model);
    const name = nameIn(put);
    const hasOutcome = isDead || parked.has(placeOf(put)) || (name !== undefined && had.has(name));
    if (put.isRequest) continue;
    // Other records of a deleted event can have been duplicates while it was parked.
    if (deleted.has(name)) continue;
    // The timer of this event is no longer running, because it was canceled or restarted.
    if (
      put.by === 'clock' &&
      event &&
      !running.has(`${event.model}#${event.transaction} ${event.id}`)
    )
      continue;
    // The second of two equal events can be a duplicate of the first event while the first event is parked.
    const isDuplicate = name !== undefined && waiting.has(name);
    if (!hasOutcome && !isDuplicate) yield `${what} is lost`;
    if (!event && !isDead) yield `${what} is not a dead letter`;
    if (!isKnown && !isDead) yield `${what} has no model and is not a dead letter`;
    // A record that was put before its model was registered can have been a dead letter before it was redelivered.
    const isEarly = event && put.arrivedAt <= (log.registered.get(event.model) ?? Infinity);
    if (isDead && event && !isEarly) yield `${what} is wrongly a dead letter`;
  }
}

const nameIn = ({ event }: PutRecord) =>
  event && `${event.model}#${event.transaction} ${nameOf(event)}`;

/** Returns the part of a dead letter id that identifies its record: everything after the arrival time. */
export const digestOf = (letterId: string) => letterId.slice(letterId.indexOf('-') + 1);

export function recordDigest(put: PutRecord): string {
  const known =
    digests.get(put) ??
    `${shortSequence(put.sequence)}-${hash('sha256', placeOf(put)).slice(0, 8)}`;
  digests.set(put, known);
  return known;
}

/** A cache, because several checks need the digests of thousands of records. */
const digests = new WeakMap<PutRecord, string>();
