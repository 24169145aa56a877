import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isLaterSequence,
  sequenceInRecord,
  sortableSequence,
} from '../../../src/core/history/sequence.ts';

/**
 * A position: the sequence number of a record and the place of an event in the record (null if the record is a single event). `written` gives the two kinds of records different sequence numbers.
 */
const place = fc.record({
  record: fc.bigInt({ min: 0n, max: 10n ** 56n }).map((number) => number - (number % 3n)),
  place: fc.option(fc.nat(50_000)),
});
const written = ({ record, place }: { record: bigint; place: number | null }) =>
  place === null ? String(record) : sequenceInRecord(String(record + 1n), place);

it('sequence numbers are ordered by record and then by place within the record', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [first, second] = [written(a), written(b)];
      const records = [BigInt(first.split('.')[0]!), BigInt(second.split('.')[0]!)] as const;
      const expected =
        records[0] === records[1] ? (a.place ?? 0) > (b.place ?? 0) : records[0] > records[1];
      expect(isLaterSequence(first, second)).toBe(expected);
      expect(sortableSequence(first) > sortableSequence(second)).toBe(expected);
    }),
  );
});

it('sequence numbers of one record are ordered by place, compared numerically', () => {
  const [second, tenth] = [sequenceInRecord('99', 2), sequenceInRecord('99', 10)];
  expect(isLaterSequence(tenth, second)).toBe(true);
  expect(isLaterSequence(second, tenth)).toBe(false);
  expect(isLaterSequence(second, second)).toBe(false);
  expect(isLaterSequence('100', tenth)).toBe(true);
  expect(sortableSequence(tenth) > sortableSequence(second)).toBe(true);
});
