import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isBehind, sequenceWithin, sortable } from '../../../src/core/history/sequence.ts';

/** A record's number, and either nothing or the place of an event in it: a record has no both. */
const place = fc.record({
  record: fc.bigInt({ min: 0n, max: 10n ** 56n }).map((number) => number - (number % 3n)),
  place: fc.option(fc.nat(50_000)),
});
const written = ({ record, place }: { record: bigint; place: number | null }) =>
  place === null ? String(record) : sequenceWithin(String(record + 1n), place);

it('follow each other as records do, and then as the events in one', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [first, second] = [written(a), written(b)];
      const records = [BigInt(first.split('.')[0]!), BigInt(second.split('.')[0]!)] as const;
      const expected =
        records[0] === records[1] ? (a.place ?? 0) > (b.place ?? 0) : records[0] > records[1];
      expect(isBehind(first, second)).toBe(expected);
      expect(sortable(first) > sortable(second)).toBe(expected);
    }),
  );
});

it('those of one record follow each other', () => {
  const [second, tenth] = [sequenceWithin('99', 2), sequenceWithin('99', 10)];
  expect(isBehind(tenth, second)).toBe(true);
  expect(isBehind(second, tenth)).toBe(false);
  expect(isBehind(second, second)).toBe(false);
  expect(isBehind('100', tenth)).toBe(true);
  expect(sortable(tenth) > sortable(second)).toBe(true);
});
