import { type Item, text } from './item.ts';

/** Checks that the status of every row is recorded. Otherwise, lists of several statuses omit the row. */
export function* auditStatusesInUse(items: readonly Item[]): Generator<string> {
  const recorded = new Set(
    items
      .filter((item) => text(item, 'pk') === '#statuses')
      .map((item) => `${text(item, 'model')}#${text(item, 'status')}`),
  );
  for (const row of items.filter((item) => text(item, 'sk') === 'STATUS')) {
    if (row.status === undefined) continue;
    const [model] = text(row, 'pk').split('#', 1);
    if (!recorded.has(`${model}#${text(row, 'status')}`))
      yield `${text(row, 'pk')}: the status ${text(row, 'status')} is not recorded`;
  }
}
