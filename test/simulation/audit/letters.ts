import { isDeepStrictEqual } from 'node:util';
import { nameOf, type PutRecord, type RunLog } from '../log.ts';
import { text } from './item.ts';
import { digestOf, placeOf, recordDigest } from './outcomes.ts';
import type { CommitItem, Instance, Letter } from './tables.ts';

/** Dead letters against what was sent, and against the queues of parked events. */
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
  // A request of a dispatcher that was given up on may bring a letter back after a redrive. That loses nothing.
  const isLeftOver = ({ event }: PutRecord) =>
    log.timed && applied.has(`${event?.model}#${event?.transaction} ${nameOf(event!)}`);
  for (const { id, item, bytes, parked } of letters) {
    const put = puts.get(digestOf(id));
    if (!put) {
      yield `letter ${id} is of no record`;
      continue;
    }
    if (parked && log.sealed) {
      if (!isSealed(bytes)) yield `letter ${id} has its data in the clear`;
      if (!isDeepStrictEqual(withoutData(bytes), withoutData(put.bytes)))
        yield `letter ${id} says something else`;
    } else if (Buffer.compare(bytes, put.bytes) !== 0) yield `letter ${id} has other bytes`;
    if (text(item, 'partitionKey') !== put.partitionKey) yield `letter ${id} has another key`;
    if (text(item, 'at') !== new Date(put.arrivedAt).toISOString())
      yield `letter ${id} has another time`;
    if (put.event && item.eventId?.S !== put.event.id) yield `letter ${id} names another event`;
    if (parked && parked !== placeOf(put)) yield `letter ${id} is of another record`;
    if (parked && item.expiresAt) yield `letter ${id} of a parked event expires`;
    if (!parked && !item.expiresAt) yield `letter ${id} never expires`;
    if (parked && !queued.has(id) && !isLeftOver(put))
      yield `letter ${id} is of an event that is not parked`;
  }
  for (const { key, parked, history } of instances) {
    const isApplied = (name: string) => history.some((entry) => entry.name === name);
    for (const { name, letterId, record } of parked) {
      // A redrive that applied it and died took its letter first; the next one may have failed on it.
      const isLeaving = !log.redriven && isApplied(name);
      if (!letterIds.has(letterId) && !isLeaving)
        yield `${key}: parked ${name} (${record}) has no letter`;
    }
    const [head] = parked;
    if (!head) continue;
    // A request parked it late, after a redrive took it out: the next redrive takes it out again.
    if (log.strays.has(head.letterId) && isApplied(head.name)) continue;
    if (!head.fault) yield `${key}: ${head.name} is the first that is parked, for no fault`;
    if (!isAtFault(head.name, log)) yield `${key}: ${head.name} is parked and need not be`;
    if (!mayBeApplied(head.name, log) && isApplied(head.name))
      yield `${key}: ${head.name} is the first that is parked, and was applied`;
  }
}

const parsed = (bytes: Uint8Array) =>
  JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;

const isSealed = (bytes: Uint8Array) => '$sealed' in (parsed(bytes).data as object);

const withoutData = (bytes: Uint8Array) => ({ ...parsed(bytes), data: undefined });

/**
 * A model that fails on an event may yet have applied it, say, right before it died, or while another
 * one failed: once is enough where what is parked is tried again by two at a time. A redrive finds
 * that out.
 */
const mayBeApplied = (name: string, log: RunLog) =>
  !log.redriven && (log.failures.get(name) ?? 0) > 0;

/**
 * Whether the tail of a commit may be outstanding: the model crashed after the commit, and all its events
 * are parked, perhaps behind one that no redrive gets past; they have to be redriven first. Or another
 * dispatcher had read the registry before the model was there, and made them dead letters.
 */
export const mayBeUndone = ({ entries }: CommitItem, { parked, deadLetters }: Instance) =>
  entries.every(
    (entry) => deadLetters.has(entry.name) || parked.some(({ name }) => name === entry.name),
  );

/** The names of the events that are or were dead letters, by the keys of their instances. */
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

/** Whether a model fails on an event; before everything was redriven, whether it ever did. */
function isAtFault(name: string, log: RunLog): boolean {
  if (!log.redriven) return (log.failures.get(name) ?? 0) > 0;
  const put = log.puts.find(({ event }) => event && nameOf(event) === name);
  const { fails } = (put?.event?.data ?? {}) as { fails?: { until: unknown } };
  return fails?.until === 'always';
}
