import { isDeepStrictEqual } from 'node:util';
import { nameOf, type PutRecord, type RunLog } from '../log.ts';
import { text } from './item.ts';
import { digestOf, placeOf, recordDigest } from './outcomes.ts';
import type { CommitItem, Instance, Letter } from './tables.ts';

/** Checks dead letters against the sent records and the queues of parked events. */
export function* auditLetters(
  instances: readonly Instance[],
  letters: readonly Letter[],
  log: RunLog,
): Generator<string> {
  const puts = new Map(log.puts.map((put) => [recordDigest(put), put]));
  const letterIds = new Set(letters.map(({ id }) => id));
  const queued = new Set(instances.flatMap((each) => each.parked.map(({ letterId }) => letterId)));
  const applied = new Set(
    instances.flatMap(({ key, history }) => history.map(({ name }) => `${key} ${name}`)),
  );
  // A late request of an abandoned dispatcher may bring a letter back after a redrive, which loses nothing.
  const isLeftOver = ({ event }: PutRecord) =>
    log.timed && applied.has(`${event?.model}#${event?.transaction} ${nameOf(event!)}`);
  for (const { id, item, bytes, parked } of letters) {
    const put = puts.get(digestOf(id));
    if (!put) {
      yield `letter ${id} belongs to no record`;
      continue;
    }
    if (parked && log.sealed) {
      if (!isSealed(bytes)) yield `letter ${id} has its data in plain text`;
      if (!isDeepStrictEqual(withoutData(bytes), withoutData(put.bytes)))
        yield `letter ${id} has different content`;
    } else if (Buffer.compare(bytes, put.bytes) !== 0) yield `letter ${id} has different bytes`;
    if (text(item, 'partitionKey') !== put.partitionKey) yield `letter ${id} has a different key`;
    if (text(item, 'at') !== new Date(put.arrivedAt).toISOString())
      yield `letter ${id} has a different time`;
    if (put.event && item.eventId?.S !== put.event.id)
      yield `letter ${id} contains a different event`;
    if (parked && parked !== placeOf(put)) yield `letter ${id} belongs to a different record`;
    if (parked && item.expiresAt) yield `letter ${id} of a parked event expires`;
    if (!parked && !item.expiresAt) yield `letter ${id} never expires`;
    if (parked && !queued.has(id) && !isLeftOver(put))
      yield `letter ${id} belongs to an event that is not parked`;
  }
  for (const { key, parked, history } of instances) {
    const isApplied = (name: string) => history.some((entry) => entry.name === name);
    for (const { name, letterId, record } of parked) {
      // A redrive that crashed after applying it removed its letter first; the next one may have failed on it.
      const isLeaving = !log.redriven && isApplied(name);
      if (!letterIds.has(letterId) && !isLeaving)
        yield `${key}: parked ${name} (${record}) has no letter`;
    }
    const [head] = parked;
    if (!head) continue;
    // A late request parked it after a redrive removed it: the next redrive removes it again.
    if (log.strays.has(head.letterId) && isApplied(head.name)) continue;
    if (!head.fault) yield `${key}: ${head.name} is the oldest parked event, without a fault`;
    if (!isAtFault(head.name, log)) yield `${key}: ${head.name} is parked unnecessarily`;
    if (!mayBeApplied(head.name, log) && isApplied(head.name))
      yield `${key}: ${head.name} is the oldest parked event, but was applied`;
  }
}

const parsed = (bytes: Uint8Array) =>
  JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;

const isSealed = (bytes: Uint8Array) => '$sealed' in (parsed(bytes).data as object);

const withoutData = (bytes: Uint8Array) => ({ ...parsed(bytes), data: undefined });

/**
 * A model that fails on an event may still have applied it, for example because it crashed after the commit, or
 * because a concurrent attempt succeeded. One such attempt is enough if two redrives run concurrently. A redrive
 * resolves that.
 */
const mayBeApplied = (name: string, log: RunLog) =>
  !log.redriven && (log.failures.get(name) ?? 0) > 0;

/**
 * True if the tail of a commit may be incomplete: the model crashed after the commit, and all its events
 * are parked, perhaps behind one that every redrive fails on, and must be redriven first. Or another
 * dispatcher read the registry before the model was registered, and stored them as dead letters.
 */
export const mayBeUndone = ({ entries }: CommitItem, { parked, deadLetters }: Instance) =>
  entries.every(
    (entry) => deadLetters.has(entry.name) || parked.some(({ name }) => name === entry.name),
  );

/** The identities of events that are or were dead letters, by the keys of their instances. */
export function namesInLetters(
  letterIds: readonly string[],
  log: RunLog,
): ReadonlyMap<string, ReadonlySet<string>> {
  const puts = new Map(log.puts.map((put) => [recordDigest(put), put]));
  const names = new Map<string, Set<string>>();
  for (const id of letterIds) {
    const event = puts.get(digestOf(id))?.event;
    if (!event) continue;
    const key = `${event.model}#${event.transaction}`;
    names.set(key, (names.get(key) ?? new Set()).add(nameOf(event)));
  }
  return names;
}

/** True if a model fails on an event or, before everything was redriven, ever did. */
function isAtFault(name: string, log: RunLog): boolean {
  if (!log.redriven) return (log.failures.get(name) ?? 0) > 0;
  const put = log.puts.find(({ event }) => event && nameOf(event) === name);
  const { fails } = (put?.event?.data ?? {}) as { fails?: { until: unknown } };
  return fails?.until === 'always';
}
