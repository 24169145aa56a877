import type { ObservedHistory } from '../observe/observed.ts';
import type { Sending } from './rules/rules.ts';

/**
 * Checks that effects happened exactly once: every event that an instance must send is in the history of its recipient
 * once.
 */
export function* checkSendings(
  sent: readonly Sending[],
  histories: readonly ObservedHistory[],
): Generator<string> {
  const counts = new Map<string, number>();
  const count = (sending: Sending, by: number) => {
    const { model, transaction, type, data } = sending;
    const members = Object.entries(data).map((member) => JSON.stringify(member));
    const key = JSON.stringify([model, transaction, type, members.toSorted()]);
    counts.set(key, (counts.get(key) ?? 0) + by);
  };
  for (const sending of sent) count(sending, 1);
  for (const { instance, entries } of histories)
    for (const { event } of entries) {
      if (!event.source.startsWith('milepost:') || event.type === 'timer.fired') continue;
      const data = event.data as Sending['data'];
      count(
        { model: instance.model, transaction: instance.transaction, type: event.type, data },
        -1,
      );
    }
  for (const [key, difference] of counts) {
    if (difference > 0)
      yield `missing ${difference} times from the history of its recipient: ${key}`;
    if (difference < 0) yield `received ${-difference} times too often: ${key}`;
  }
}
