import { isDeepStrictEqual } from 'node:util';
import { isOrdered, nameOf, type RunLog, type SentEvent } from '../log.ts';
import type { Replayed, Sender } from './fold.ts';
import { mayBeUndone } from './letters.ts';
import { isReply } from './replies.ts';
import { sourceOf } from './source.ts';
import type { Instance } from './tables.ts';

/**
 * Checks the events that instances put on the stream against their histories. Instances must put every event that a
 * commit sends, in order and always with the same content, and no other events except replies. Another check covers the
 * outcomes of these events.
 */
export function* auditSendings(senders: readonly Sender[], log: RunLog): Generator<string> {
  const puts = log.puts.filter(({ by, event }) => by === 'instance' && !isReply(event!));
  const sent = Map.groupBy(puts, ({ event }) => nameOf(event!));
  /** The order of the first puts of events, by identity. */
  const order = new Map([...sent.keys()].map((name, index) => [name, index]));
  for (const { instance, replayed } of senders) {
    const latest = new Map<string, number>();
    for (const each of replayed)
      for (const event of eventsOf(instance, each)) {
        const name = nameOf(event);
        const records = sent.get(name) ?? [];
        sent.delete(name);
        if (records.length === 0 && !mayBeUndone(each.commit, instance))
          yield `${name} of ${instance.key} was never sent`;
        if (!records.every((record) => isDeepStrictEqual(record.event, event)))
          yield `${name} of ${instance.key} was sent with different content`;
        const at = order.get(name);
        if (at === undefined || !isOrdered(log)) continue;
        if (at < (latest.get(event.transaction) ?? -1))
          yield `${name} of ${instance.key} was sent before its predecessor`;
        latest.set(event.transaction, at);
      }
  }
  for (const name of sent.keys()) yield `${name} was put, but no commit sent it`;
}

/** Returns the events that an entry of a history sends. */
function eventsOf({ model, transaction }: Instance, { entry, commit, place, after }: Replayed) {
  return after.sendings.flatMap((sending, index): SentEvent[] => {
    if (sending.to === 'people') return [];
    const sender = `${model}/${transaction}`;
    const event = {
      specversion: '1.0',
      id: `${commit.version}.${place}.${index}`,
      source: sourceOf(model, transaction),
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
