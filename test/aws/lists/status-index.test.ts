import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DynamoDb, Item } from '../../../src/aws/client/dynamodb.ts';
import { statusIndexes } from '../../../src/aws/instances/status-indexes.ts';
import { anySort, StatusIndex } from '../../../src/aws/lists/status-index.ts';

const { byStatus } = statusIndexes;
const nameOf = (partition: number) => `p${partition}`;
const sortOf = (place: number) => String(place).padStart(3, '0');
const placeOf = (item: Item) => item[byStatus.sort]!.S!;

/**
 * An index with one item for each place.
 *
 * @param placed the partition of each item, by place.
 */
function indexOf(placed: readonly number[]): { index: StatusIndex; limits: number[] } {
  const limits: number[] = [];
  const query: DynamoDb['query'] = async (input) => {
    const { ExpressionAttributeValues: values, Limit = 0, ScanIndexForward: isForward } = input;
    limits.push(Limit);
    const items = placed.flatMap((partition, place): Item[] =>
      nameOf(partition) === values![':partition']!.S
        ? [{ [byStatus.sort]: { S: sortOf(place) } }]
        : [],
    );
    const read = (isForward ? items : items.toReversed()).slice(0, Limit);
    // As in DynamoDB, a response that reaches the limit is incomplete, even if it contains the last item.
    const LastEvaluatedKey = read.length === Limit ? read.at(-1)! : undefined;
    return { Items: read, Count: read.length, LastEvaluatedKey };
  };
  return { index: new StatusIndex({ query } as DynamoDb, 'instances'), limits };
}

const partitionCount = 12;
const range = {
  index: byStatus,
  partitions: Array.from({ length: partitionCount }, (_, n) => nameOf(n)),
};

it.each(['newest', 'oldest'] as const)(
  'a read of a range returns the %s items of all its partitions in order, however unevenly the items are distributed',
  async (order) => {
    const partitions = fc.array(fc.oneof(fc.nat(partitionCount - 1), fc.constantFrom(0, 1)), {
      maxLength: 150,
    });
    await fc.assert(
      fc.asyncProperty(partitions, fc.integer({ min: 1, max: 40 }), async (placed, limit) => {
        const { index } = indexOf(placed);
        const { items, more } = await index.first(range, anySort, limit, order);
        const all = placed.map((_, place) => sortOf(place));
        const expected = order === 'oldest' ? all : all.toReversed();
        expect(items.map(placeOf)).toEqual(expected.slice(0, items.length));
        expect(items.length).toBeGreaterThanOrEqual(Math.min(limit, all.length));
        expect(more || items.length === all.length).toBe(true);
      }),
    );
  },
);

it('a read of a range requests a share of the limit from each partition, and then more items only from partitions that may have them', async () => {
  // Partition 0 contains the 60 newest items, and each other partition contains a few older items.
  const older = Array.from({ length: 60 }, (_, n) => 1 + (n % (partitionCount - 1)));
  const { index, limits } = indexOf([...older, ...Array.from({ length: 60 }, () => 0)]);
  const { items } = await index.first(range, anySort, 24);
  expect(items.slice(0, 24).map(placeOf)).toEqual(
    Array.from({ length: 24 }, (_, n) => sortOf(119 - n)),
  );
  expect(limits).toEqual([...Array.from({ length: partitionCount }, () => 6), 25]);
});
