import { isDeepStrictEqual } from 'node:util';
import { nameOf, type PutRecord, type RunLog } from '../log.ts';
import { text } from './item.ts';
import { digestOf, placeOf, recordDigest } from './outcomes.ts';
import { oldEntry } from './personal-data.ts';
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
  // Skip dead letters that a late request from an abandoned dispatcher restored after a redrive: nothing is lost.
  const isLeftOver = ({ event }: PutRecord) =>
    log.timed && applied.has(`${event?.model}#${event?.transaction} ${nameOf(event!)}`);
  for (const { id, item, bytes, parked } of letters) {
    const put = puts.get(digestOf(id));
    if (!put) {
      yield `dead letter ${id} belongs to no record`;
      continue;
    }
    if (parked && log.sealed) {
      if (!isSealed(bytes, put, log)) yield `dead letter ${id} has its data in plain text`;
      if (!isDeepStrictEqual(withoutData(bytes), withoutData(put.bytes)))
        yield `dead letter ${id} has different content than its record`;
    } else if (Buffer.compare(bytes, put.bytes) !== 0)
      yield `dead letter ${id} has different bytes than its record`;
    if (text(item, 'partitionKey') !== put.partitionKey)
      yield `dead letter ${id} has a different partition key than its record`;
    if (text(item, 'at') !== new Date(put.arrivedAt).toISOString())
      yield `dead letter ${id} has a different arrival time than its record`;
    if (put.event && item.eventId?.S !== put.event.id)
      yield `dead letter ${id} contains a different event than its record`;
    if (parked && parked !== placeOf(put)) yield `dead letter ${id} belongs to a different record`;
    if (parked && item.expiresAt) yield `dead letter ${id} of a parked event expires`;
    if (!parked && !item.expiresAt) yield `dead letter ${id} never expires`;
    if (parked && !queued.has(id) && !isLeftOver(put))
      yield `dead letter ${id} belongs to an event that is not parked`;
  }
  for (const { key, parked, history } of instances) {
    const isApplied = (name: string) => history.some((entry) => entry.name === name);
    for (const { name, letterId, record } of parked) {
      // A redrive that applied the event and then crashed has already removed the dead letter. The next redrive may
      // then have failed on the event.
      const isLeaving = !log.redriven && isApplied(name);
      if (!letterIds.has(letterId) && !isLeaving)
        yield `${key}: parked ${name} (${record}) has no dead letter`;
    }
    const [head] = parked;
    if (!head) continue;
    // A late request parked the event again after a redrive removed it. The next redrive removes the event.
    if (log.strays.has(head.letterId) && isApplied(head.name)) continue;
    if (!head.fault) yield `${key}: ${head.name} is the oldest parked event, without a fault`;
    if (!isAtFault(head.name, log)) yield `${key}: ${head.name} is parked unnecessarily`;
    if (!mayBeApplied(head.name, log) && isApplied(head.name))
      yield `${key}: ${head.name} is the oldest parked event, but was applied`;
  }
}

const parsed = (bytes: Uint8Array) =>
  JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;

/** True if the data of a dead letter is sealed, erased, or older than the deployment that marked the personal data. */
function isSealed(bytes: Uint8Array, { arrivedAt, event }: PutRecord, log: RunLog): boolean {
  const data = parsed(bytes).data as object | null;
  if (data === null) return log.erasures.has(`${event?.model}#${event?.transaction}`);
  return '$sealed' in data || arrivedAt <= (log.markedAt ?? Number.POSITIVE_INFINITY) + oldEntry;
}

const withoutData = (bytes: Uint8Array) => ({ ...parsed(bytes), data: undefined });

/**
 * True if an event may have been applied although the model failed on it: the model crashed after the commit, or a
 * concurrent attempt succeeded. One failed attempt is enough if two redrives run concurrently. A later redrive removes
 * the event from the queue.
 */
const mayBeApplied = (name: string, log: RunLog) =>
  !log.redriven && (log.failures.get(name) ?? 0) > 0;

/**
 * True if the tail of a commit may be incomplete. Either the model crashed after the commit and all events of the
 * commit are parked until a redrive, or another dispatcher read the registry before the model was registered and stored
 * the events as dead letters.
 */
export const mayBeUndone = ({ entries }: CommitItem, { parked, deadLetters }: Instance) =>
  entries.every(
    (entry) => deadLetters.has(entry.name) || parked.some(({ name }) => name === entry.name),
  );

/** Returns the identities of events that are or were dead letters, by the keys of their instances. */
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

/** True if the model fails on an event or, before all events are redriven, if the model ever failed on it. */
function isAtFault(name: string, log: RunLog): boolean {
  if (!log.redriven) return (log.failures.get(name) ?? 0) > 0;
  const put = log.puts.find(({ event }) => event && nameOf(event) === name);
  const { fails } = (put?.event?.data ?? {}) as { fails?: { until: unknown } };
  return fails?.until === 'always';
}
