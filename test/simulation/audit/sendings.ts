import { isDeepStrictEqual } from 'node:util';
import { nameOf, type PutRecord, type RunLog, type SentEvent } from '../log.ts';
import type { Replayed } from './fold.ts';
import { mayBeUndone } from './letters.ts';
import type { Instance } from './tables.ts';

/** An instance and what its history should be. */
export interface Sender {
  readonly instance: Instance;
  readonly replayed: readonly Replayed[];
}

/**
 * What instances put on the stream, against their histories: every event that a commit sends was put,
 * the same one each time, in order; and nothing else but replies was. That each that was put has
 * its one outcome where it went is looked at with everyone else's events.
 */
export function* auditSendings(senders: readonly Sender[], log: RunLog): Generator<string> {
  const puts = log.puts.filter(({ by, event }) => by === 'instance' && !isReply(event!));
  const sent = Map.groupBy(puts, ({ event }) => nameOf(event!));
  /** By name, when it was put first. */
  const order = new Map([...sent.keys()].map((name, index) => [name, index]));
  for (const { instance, replayed } of senders) {
    const latest = new Map<string, number>();
    for (const each of replayed)
      for (const event of eventsOf(instance, each)) {
        const name = nameOf(event);
        const records = sent.get(name) ?? [];
        sent.delete(name);
        if (records.length === 0 && !mayBeUndone(each.commit, instance, log))
          yield `${name} of ${instance.key} was never sent`;
        if (!records.every((record) => isDeepStrictEqual(record.event, event)))
          yield `${name} of ${instance.key} was sent as something else`;
        const at = order.get(name);
        if (at === undefined || !log.keyed) continue;
        if (at < (latest.get(event.transaction) ?? -1))
          yield `${name} of ${instance.key} was sent before what comes in front of it`;
        latest.set(event.transaction, at);
      }
  }
  for (const name of sent.keys()) yield `${name} was put, and no commit sent it`;
}

/** The events that an entry of a history sends. */
function eventsOf({ model, transaction }: Instance, { entry, commit, place, after }: Replayed) {
  return after.sendings.flatMap((sending, index): SentEvent[] => {
    if (sending.to === 'people') return [];
    const sender = `${model}/${transaction}`;
    const event = {
      specversion: '1.0',
      id: `${commit.version}.${place}.${index}`,
      source: sender,
      type: sending.type,
      model: sending.to[0],
      transaction: sending.to[1],
      time: entry.event.time,
      data: sending.data as SentEvent['data'],
      ...(sending.replyTo ? { replyto: sender } : {}),
    };
    return [event];
  });
}

export const isReply = ({ type }: SentEvent) => type === 'outcome.recorded';

/** What a reply says, and to whom. */
const reply = (to: string, by: string, time: string, data: Readonly<Record<string, unknown>>) =>
  JSON.stringify([
    to,
    by,
    time,
    ...['id', 'source', 'type', 'modelid', 'transactionid', 'outcome', 'reason', 'status'].map(
      (name) => data[name],
    ),
  ]);

/** Whoever asked for an outcome is told once; of a duplicate once for each, and not of its own doing. */
export function* auditReplies(senders: readonly Sender[], log: RunLog): Generator<string> {
  const puts = log.puts.filter(({ by, event }) => by === 'instance' && isReply(event!));
  const isOfDuplicate = ({ event }: PutRecord) => event!.data.outcome === 'duplicate';
  const told = Map.groupBy(
    puts.filter((put) => !isOfDuplicate(put)),
    ({ event }) =>
      reply(`${event!.model}/${event!.transaction}`, event!.source, event!.time!, event!.data),
  );
  const wanted = new Map<string, { times: number; mayBeUndone: boolean }>();
  for (const { instance, replayed } of senders)
    for (const { entry, commit } of replayed) {
      const { id, source, type, time, replyTo } = entry.event;
      if (!replyTo) continue;
      const { model, transaction } = instance;
      const { reason, status, rejected } = entry;
      const outcome = rejected ? 'rejected' : 'applied';
      const names = { id, source, type, modelid: model, transactionid: transaction };
      const to = `${replyTo.model}/${replyTo.transaction}`;
      const key = reply(to, `${model}/${transaction}`, time, { ...names, outcome, reason, status });
      const undone = mayBeUndone(commit, instance, log);
      const before = wanted.get(key) ?? { times: 0, mayBeUndone: false };
      wanted.set(key, { times: before.times + 1, mayBeUndone: before.mayBeUndone || undone });
    }
  for (const [key, { times, mayBeUndone: undone }] of wanted) {
    const ids = new Set(told.get(key)?.map(({ event }) => event!.id));
    told.delete(key);
    if (ids.size > times) yield `the reply ${key} was sent with ${ids.size} ids`;
    if (ids.size < times && !undone) yield `the reply ${key} was never sent`;
  }
  for (const key of told.keys()) yield `the reply ${key} tells of what did not happen`;
  yield* auditDuplicates(senders, puts.filter(isOfDuplicate), log);
}

function* auditDuplicates(
  senders: readonly Sender[],
  replies: readonly PutRecord[],
  log: RunLog,
): Generator<string> {
  const records = new Map(log.puts.map((put) => [`${put.shard}/${put.sequence}`, put]));
  const told = new Set<PutRecord>();
  for (const { event } of replies) {
    const { id, model, transaction, data } = event!;
    const what = `the reply ${id} to ${model}/${transaction}`;
    const record = records.get(id.slice('reply/'.length));
    if (record?.event?.id !== data.id || record?.event?.source !== data.source)
      yield `${what} is of no such record`;
    else if (record!.event!.replyto !== `${model}/${transaction}`)
      yield `${what} was not asked for`;
    else if (record!.by !== 'producer') yield `${what} is of an event that an instance sent`;
    else told.add(record!);
  }
  const asking = log.puts.filter(({ by, event }) => by === 'producer' && event?.replyto);
  for (const { instance, replayed } of senders) {
    const had = Map.groupBy(replayed, ({ entry }) => entry.name);
    const ofInstance = asking.filter(
      ({ event }) => `${event!.model}#${event!.transaction}` === instance.key,
    );
    for (const [name, same] of Map.groupBy(ofInstance, ({ event }) => nameOf(event!))) {
      const entries = had.get(name) ?? [];
      const count = same.filter((each) => told.has(each)).length;
      if (count > same.length - Math.max(entries.length, 1))
        yield `${instance.key}: ${count} replies call ${name} a duplicate, of ${same.length} records`;
      // Records of an unknown model are no duplicates, and what is parked will be told of later.
      if (entries.length !== 1 || instance.model !== 'tally' || instance.parked.length > 0)
        continue;
      const marks = JSON.parse(entries[0]!.commit.item.marks!.S!) as Record<string, string>;
      // Of a record not behind those of its commit it cannot be told which of the same ones it is.
      const clear = same.filter(
        ({ shard, sequence }) => BigInt(sequence) > BigInt(marks[shard] ?? -1),
      );
      for (const record of clear)
        if (!told.has(record))
          yield `${instance.key}: nobody was told that ${name} is a duplicate (${record.shard}:${record.sequence})`;
    }
  }
}
