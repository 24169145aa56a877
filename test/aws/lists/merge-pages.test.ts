import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Item } from '../../../src/aws/client/dynamodb.ts';
import { mergePages } from '../../../src/aws/lists/merge-pages.ts';

const item = (place: number): Item => ({ sk: { S: String(place).padStart(3, '0') } });
const placeOf = ({ sk }: Item) => sk!.S!;

it.each(['newest', 'oldest'] as const)(
  'mergePages returns all items of all partitions, %s first, even if responses are truncated',
  (order) => {
    const inOrder = <T>(values: readonly T[]) =>
      order === 'newest' ? values.toReversed() : values;
    // The partition of each item. A response contains at least two items, because items can be up to 400 KB and responses
    // up to 1 MB.
    const partitions = fc.array(fc.nat(3), { maxLength: 60 });
    const sizes = fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(partitions, sizes, (placed, answerSizes) => {
        let answers = 0;
        const read = (partition: number, after: string | undefined) => {
          const all = placed.map((where, place) => ({ where, item: item(place) }));
          const ordered = inOrder(all);
          const read = ordered.findIndex((each) => placeOf(each.item) === after) + 1;
          const items = ordered
            .slice(read)
            .flatMap(({ where, item: each }) => (where === partition ? [each] : []));
          const size = answerSizes[answers++ % answerSizes.length]!;
          // As in DynamoDB, a response can be marked as truncated even if it contains the last item.
          return { items: items.slice(0, size), cut: items.length >= size };
        };
        const found: string[] = [];
        for (let more = true; more; ) {
          const pages = [0, 1, 2, 3].map((partition) => read(partition, found.at(-1)));
          const page = mergePages(pages, placeOf, order);
          found.push(...page.items.map(placeOf));
          expect(page.items.length > 0 || !page.more).toBe(true);
          expect(page.more).toBe(found.length < placed.length);
          ({ more } = page);
        }
        expect(found).toEqual(inOrder(placed.map((_, place) => placeOf(item(place)))));
      }),
    );
  },
);
