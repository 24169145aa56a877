import { isOrdered, type PublishedNotification, type RunLog } from '../log.ts';
import { notificationsIn } from './notifications.ts';

/**
 * Checks that the notifications of an instance were put on the notification stream in order, and that each of them was
 * published at least once after the first publication of the previous one. Records that other producers put on the
 * stream must be dead letters of the publisher, with their bytes.
 */
export function* auditPublishing(log: RunLog): Generator<string> {
  const others = log.setAside.filter((raw) => notificationsIn(raw).length === 0);
  const found = others.map((raw) => Buffer.from(raw).toString()).toSorted();
  for (const content of log.foreign)
    if (!found.includes(content))
      yield `${content} on the notification stream did not become a dead letter`;
  if (found.length > log.foreign.length)
    yield 'the publisher has a dead letter of an unknown record';
  // Check the order only if a single function published for the instance, without concurrent or interrupted functions.
  if (!isOrdered(log)) return;
  for (const [instance, ids] of byInstance(log.streamed)) {
    const first = [...new Set(ids)];
    const wrong = first.find((id, index) => index > 0 && isBefore(id, first[index - 1]!));
    if (wrong) yield `${wrong} of ${instance} was put on the stream after a later notification`;
  }
  // Skip notifications that were dead letters, because a redrive can publish them at any time.
  const late = new Set(log.setAside.flatMap(notificationsIn).map(({ detail }) => detail['id']));
  for (const [instance, ids] of byInstance(log.notifications)) {
    const inTime = [...new Set(ids)].filter((id) => !late.has(id));
    const inOrder = inTime.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
    for (const [index, id] of inOrder.entries()) {
      const next = inOrder[index + 1];
      if (next !== undefined && ids.lastIndexOf(next) < ids.indexOf(id))
        yield `${next} of ${instance} was published before ${id}, but not again`;
    }
  }
}

function byInstance(
  notifications: readonly PublishedNotification[],
): [instance: string, ids: string[]][] {
  const groups = Map.groupBy(notifications, ({ detail }) =>
    [detail['model'], detail['transaction']].join('/'),
  );
  return [...groups].map(([name, group]) => [
    name,
    group.map(({ detail }) => String(detail['id'])),
  ]);
}

/** Compares notification ids by the version of the commit, then by the index within the commit. */
function isBefore(a: string, b: string): boolean {
  const [[version, count], [otherVersion, otherCount]] = [place(a), place(b)];
  return version === otherVersion ? count < otherCount : version < otherVersion;
}

function place(id: string): readonly [version: number, count: number] {
  const [version, count] = id.slice(id.lastIndexOf('/') + 1).split('.');
  return [Number(version), Number(count)];
}
