import { type Item, text } from './item.ts';

/** Checks that the key index contains each instance under the business key that its status row implies. */
export function* auditKeyIndex(items: readonly Item[]): Generator<string> {
  const found = new Set(
    items
      .filter((item) => text(item, 'pk').startsWith('#key#'))
      .map(
        (item) =>
          `${text(item, 'pk').replace(/#\d+$/, '')} ${item.instance?.S ?? text(item, 'sk')}`,
      ),
  );
  for (const row of items.filter((item) => text(item, 'sk') === 'STATUS')) {
    // An instance whose first event is parked has no keys yet.
    if (row.version?.N === '0' || row.version === undefined) continue;
    // An instance with only rejected events has no keys.
    if (row.startedAt?.NULL) continue;
    const keys = JSON.parse(row.businessKeys?.S ?? '[]') as string[];
    if (keys.length !== 1)
      yield `${text(row, 'pk')}: the row has ${keys.length} keys instead of one`;
    for (const key of keys)
      if (!found.has(`#key#${key} ${text(row, 'pk')}`))
        yield `${text(row, 'pk')}: the key index does not contain it under ${key}`;
  }
}
