import type { PublishedNotification, RunLog } from '../log.ts';
import type { Sender } from './fold.ts';
import { text } from './item.ts';
import { mayBeUndone } from './letters.ts';

/** The content of a notification. */
const said = ({ type, detail }: PublishedNotification) =>
  JSON.stringify([
    type,
    ...['model', 'transaction', 'version', 'at', 'from', 'status', 'data', 'event'].map(
      (name) => detail[name],
    ),
  ]);

/** Returns the notifications in a record of the notification stream: none for a record from another producer. */
export function notificationsIn(data: Uint8Array): PublishedNotification[] {
  const { notifications = [] } = JSON.parse(Buffer.from(data).toString()) as {
    notifications?: { 'detail-type': string; detail: PublishedNotification['detail'] }[];
  };
  return notifications.map(({ 'detail-type': type, detail }) => ({ type, detail }));
}

/**
 * Checks that exactly one notification was published for every change in a commit. Notifications that the bus rejected
 * are dead letters until they are redriven.
 */
export function* auditNotifications(senders: readonly Sender[], log: RunLog): Generator<string> {
  const refused = log.redriven ? [] : log.setAside.flatMap(notificationsIn);
  const published = Map.groupBy([...log.notifications, ...refused], said);
  const wanted = new Map<string, { times: number; undone: boolean }>();
  for (const { instance, replayed } of senders) {
    const { model, transaction } = instance;
    let before: string | null = null;
    let wasDone = false;
    for (const { entry, commit, place, after } of replayed) {
      const { version } = commit;
      const whole = { model, transaction, version, at: text(commit.item, 'at') };
      const { status, sendings, state } = after;
      const { id, source, type } = entry.event;
      const cause = { event: { id, source, type } };
      const undone = mayBeUndone(commit, instance);
      const want = (notification: PublishedNotification) => {
        const times = (wanted.get(said(notification))?.times ?? 0) + 1;
        wanted.set(said(notification), { times, undone });
      };
      const isStarted: boolean = before !== null || !entry.rejected;
      if (isStarted && status !== before)
        want({ type: 'StatusChanged', detail: { ...whole, from: before, status, ...cause } });
      for (const { to, type: own, data } of sendings)
        if (to === 'people') want({ type: own, detail: { ...whole, status, data, ...cause } });
      before = isStarted ? status : null;
      if (place < commit.entries.length - 1) continue;
      const done = state.sum > 90;
      if (done && !wasDone) want({ type: 'InstanceDone', detail: { ...whole, status } });
      wasDone = done;
    }
  }
  for (const [key, { times, undone }] of wanted) {
    const ids = new Set(published.get(key)?.map(({ detail }) => detail.id));
    published.delete(key);
    if (ids.size > times || (ids.size < times && !undone))
      yield `the notification ${key} was published with ${ids.size} ids instead of ${times}`;
  }
  for (const key of published.keys())
    yield `the notification ${key} is not about a change in a commit`;
}
