import { hash } from 'node:crypto';
import type { Counter, CounterGroup } from '../../core/counters/counter.ts';
import { parseDeadlineResult } from '../../core/status/deadline-results.ts';

/**
 * The number of partitions over which a group of counters is distributed. All shards of the stream update the counters
 * of a model, and each shard always updates the same partition. A counter is the sum of its values in all partitions.
 */
const partitions = 4;

/** The partition of a group of counters that a shard updates. */
const partitionFor = (shard: string) =>
  Number.parseInt(hash('sha1', shard).slice(0, 8), 16) % partitions;

/** The prefix of the partition keys of counters. Items of rebuilds have other prefixes. */
const counterPrefix = 'count#';

const partitionKey = (
  generation: number,
  { model, group }: Pick<Counter, 'model' | 'group'>,
  partition: number,
) => `${counterPrefix}${generation}#${group}#${model}#${partition}`;

/** The partition keys of a group of counters. */
export const counterPartitions = (
  generation: number,
  group: Pick<Counter, 'model' | 'group'>,
): string[] =>
  Array.from({ length: partitions }, (_, partition) => partitionKey(generation, group, partition));

/** The generation of a counter item; undefined for other items. */
export function generationOf(pk: string): number | undefined {
  return pk.startsWith(counterPrefix)
    ? Number(pk.slice(counterPrefix.length).split('#', 1)[0])
    : undefined;
}

/** The key of the item with the ids of all models whose instances were ever counted. */
export const modelsKey = { pk: { S: 'models' }, sk: { S: 'models' } } as const;

/** The attribute with the model ids, in the item with the key `modelsKey`. */
export const modelsAttribute = 'models';

/** The sort key of the item with the totals of a model. */
export const totalsKey = 'totals';

/** The attribute with the count, in an item that contains a single counter. */
export const countAttribute = 'instances';

/**
 * The key of the item that contains a counter. All totals of a model share an item, as do all deadline results of a
 * model in one week. Every other counter has a separate item.
 */
export const counterKey = (generation: number, shard: string, counter: Counter) => ({
  pk: { S: partitionKey(generation, counter, partitionFor(shard)) },
  sk: { S: sortKey(counter) },
});

function sortKey({ group, name }: Counter): string {
  if (group === 'totals') return totalsKey;
  return group === 'deadlines' ? parseDeadlineResult(name).week : name;
}

/** The name of the attribute that contains a counter. */
export const counterAttribute = ({ group, name }: Counter) =>
  hasSharedItem(group) ? `${totalPrefix}${name}` : countAttribute;

const hasSharedItem = (group: CounterGroup) => group === 'totals' || group === 'deadlines';

/**
 * The prefix of counters in shared items. Statuses and milestones can have any name, so the prefix prevents collisions.
 */
const totalPrefix = 'total:';

/** The name of the counter in an attribute of a shared item; undefined for other attributes. */
export const totalIn = (attribute: string): string | undefined =>
  attribute.startsWith(totalPrefix) ? attribute.slice(totalPrefix.length) : undefined;
