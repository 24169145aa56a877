import { type Item, text } from './item.ts';

/** That each instance is found by the key that its sum gives it, as far as its row says that there is one. */
export function* auditKeyIndex(items: readonly Item[]): Generator<string> {
  const found = new Set(
    items
      .filter((item) => text(item, 'pk').startsWith('#key#'))
      .map(
        (item) => `${text(item, 'pk').replace(/#\d$/, '')} ${item.instance?.S ?? text(item, 'sk')}`,
      ),
  );
  for (const row of items.filter((item) => text(item, 'sk') === 'STATUS')) {
    // Of one whose very first event is parked nothing is known.
    if (row.version?.N === '0' || row.version === undefined) continue;
    // One whose events were all rejected is found by none.
    if (row.startedAt?.NULL) continue;
    const keys = JSON.parse(row.businessKeys?.S ?? '[]') as string[];
    if (keys.length !== 1) yield `${text(row, 'pk')}: the row has ${keys.length} keys, and not one`;
    for (const key of keys)
      if (!found.has(`#key#${key} ${text(row, 'pk')}`))
        yield `${text(row, 'pk')}: it is not found by ${key}`;
  }
}
