import { isLaterSequence } from '../../../src/core/history/sequence.ts';
import { nameOf, type PutRecord, type RunLog, type SentEvent } from '../log.ts';
import type { Sender } from './fold.ts';
import { mayBeUndone } from './letters.ts';
import { digestOf, recordDigest } from './outcomes.ts';
import { sourceOf } from './source.ts';

export const isReply = ({ type }: SentEvent) => type === 'outcome.recorded';

/** Returns a function that formats the content and the recipient of a reply as text. */
const replyFormat =
  ({ erasures }: RunLog) =>
  (to: string, by: string, time: string, data: Readonly<Record<string, unknown>>) => {
    // After an erasure, the history lacks the reasons that can quote personal data. The replies were sent before.
    const mayLackReason = erasures.has([data.modelid, data.transactionid].join('#'));
    const { id, source, type, modelid, transactionid, outcome, status } = data;
    const reason = mayLackReason
      ? (data.reason as string | null)?.replace(/^data: .*/s, 'data')
      : data.reason;
    const about = [id, source, type, modelid, transactionid];
    return JSON.stringify([to, by, time, ...about, outcome, reason, status]);
  };

/**
 * Checks that each requested outcome is reported once, and that each duplicate is reported once unless an instance sent
 * it.
 */
export function* auditReplies(senders: readonly Sender[], log: RunLog): Generator<string> {
  const reply = replyFormat(log);
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
      const key = reply(to, sourceOf(model, transaction), time, {
        ...names,
        outcome,
        reason,
        status,
      });
      const undone = mayBeUndone(commit, instance);
      const before = wanted.get(key) ?? { times: 0, mayBeUndone: false };
      wanted.set(key, { times: before.times + 1, mayBeUndone: before.mayBeUndone || undone });
    }
  for (const [key, { times, mayBeUndone: undone }] of wanted) {
    const ids = new Set(told.get(key)?.map(({ event }) => event!.id));
    told.delete(key);
    if (ids.size === 0 && !undone) yield `the reply ${key} was never sent`;
    else if (ids.size > times || (ids.size < times && !undone))
      yield `the reply ${key} was sent with ${ids.size} ids instead of ${times}`;
  }
  for (const key of told.keys()) yield `the reply ${key} is not about an outcome in a history`;
  yield* auditDuplicates(senders, puts.filter(isOfDuplicate), log);
}

function* auditDuplicates(
  senders: readonly Sender[],
  replies: readonly PutRecord[],
  log: RunLog,
): Generator<string> {
  // Nobody reports a duplicate whose dead letter the operator deleted.
  const deleted = new Set([...log.deleted].map(digestOf));
  const records = new Map(log.puts.map((put) => [`${put.shard}/${put.sequence}`, put]));
  const told = new Set<PutRecord>();
  for (const { event } of replies) {
    const { id, model, transaction, data } = event!;
    const what = `the reply ${id} to ${model}/${transaction}`;
    const record = records.get(id.slice('reply/'.length));
    if (record?.event?.id !== data.id || record?.event?.source !== data.source)
      yield `${what} does not belong to the record that it names`;
    else if (record!.event!.replyto !== `${model}/${transaction}`)
      yield `${what} was not requested`;
    else if (record!.by !== 'producer') yield `${what} belongs to an event that an instance sent`;
    else told.add(record!);
  }
  const sent = log.puts.filter(({ by, event }) => by === 'producer' && event);
  for (const { instance, replayed } of senders) {
    const had = Map.groupBy(replayed, ({ entry }) => entry.name);
    const ofInstance = sent.filter(
      ({ event }) => `${event!.model}#${event!.transaction}` === instance.key,
    );
    for (const [name, all] of Map.groupBy(ofInstance, ({ event }) => nameOf(event!))) {
      const same = all.filter(({ event }) => event!.replyto);
      const entries = had.get(name) ?? [];
      const count = same.filter((each) => told.has(each)).length;
      // A record that is processed twice can be reported as a duplicate even if it was applied.
      if (count > 0 && count >= all.length)
        yield `${instance.key}: ${count} replies report ${name} as a duplicate, but there are ${all.length} records`;
      // Records of an unknown model are not duplicates, and parked events are reported later.
      if (entries.length !== 1 || instance.model !== 'tally' || instance.parked.length > 0)
        continue;
      const marks = JSON.parse(entries[0]!.commit.item.marks!.S!) as Record<string, string>;
      // Check only records that arrived after the applied one. Otherwise, it is unknown which of the equal records was
      // the duplicate.
      const clear = same.filter(({ shard, sequence }) =>
        isLaterSequence(sequence, marks[shard] ?? '-1'),
      );
      for (const record of clear)
        if (!told.has(record) && !deleted.has(recordDigest(record)))
          yield `${instance.key}: no reply reports ${name} as a duplicate (${record.shard}:${record.sequence})`;
    }
  }
}
