import { hash } from 'node:crypto';
import type { Counter, CounterGroup } from '../../core/counters/counter.ts';
import { parseDeadlineResult } from '../../core/status/deadline-results.ts';

/**
 * The number of partitions across which a counter group is distributed. All the stream's shards update a model's
 * counters, and each shard always updates the same partition. A counter is the sum of its values in all partitions.
 */
const partitions = 4;

/** Returns which partition of a counter group a shard updates. */
const partitionFor = (shard: string) =>
  Number.parseInt(hash('sha1', shard).slice(0, 8), 16) % partitions;

/** The prefix of counters' partition keys. Items that rebuilds write have other prefixes. */
const counterPrefix = 'count#';

const partitionKey = (
  generation: number,
  { model, group }: Pick<Counter, 'model' | 'group'>,
  partition: number,
) => `${counterPrefix}${generation}#${group}#${model}#${partition}`;

/** Returns a counter group's partition keys. */
export const counterPartitions = (
  generation: number,
  group: Pick<Counter, 'model' | 'group'>,
): string[] =>
  Array.from({ length: partitions }, (_, partition) => partitionKey(generation, group, partition));

/** Returns the generation of a counter item; undefined for other items. */
export function generationOf(pk: string): number | undefined {
  return pk.startsWith(counterPrefix)
    ? Number(pk.slice(counterPrefix.length).split('#', 1)[0])
    : undefined;
}

/** The key of the item that lists the ids of all models whose instances were ever counted. */
export const modelsKey = { pk: { S: 'models' }, sk: { S: 'models' } } as const;

/** The attribute that contains the model ids, in the item with the key `modelsKey`. */
export const modelsAttribute = 'models';

/** The sort key of the item with a model's totals. */
export const totalsKey = 'totals';

/** The attribute that contains the count, in an item with a single counter. */
export const countAttribute = 'instances';

/**
 * Returns the key of the item that contains a counter. A model's totals share an item, as do a model's deadline results
 * in one week. Every other counter has its own item.
 */
export const counterKey = (generation: number, shard: string, counter: Counter) => ({
  pk: { S: partitionKey(generation, counter, partitionFor(shard)) },
  sk: { S: sortKey(counter) },
});

function sortKey({ group, name }: Counter): string {
  if (group === 'totals') return totalsKey;
  return group === 'deadlines' ? parseDeadlineResult(name).week : name;
}

/** Returns the name of the attribute that contains a counter. */
export const counterAttribute = ({ group, name }: Counter) =>
  hasSharedItem(group) ? `${totalPrefix}${name}` : countAttribute;

const hasSharedItem = (group: CounterGroup) => group === 'totals' || group === 'deadlines';

/**
 * The prefix of counters in shared items. Statuses and milestones can have any name, so the prefix prevents collisions.
 */
const totalPrefix = 'total:';

/** Returns the name of the counter in a shared item's attribute; undefined for other attributes. */
export const totalIn = (attribute: string): string | undefined =>
  attribute.startsWith(totalPrefix) ? attribute.slice(totalPrefix.length) : undefined;
