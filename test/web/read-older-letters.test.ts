import { expect, it } from 'vitest';
import { findOlderPage, readOlderLetters } from '../../web/api/read-older-letters.ts';
import type { DeadLetterPage } from '../../web/api/types.ts';
import { letterSummary as letter } from '../support/data/letter-summary.ts';

const pages: Readonly<Record<string, DeadLetterPage>> = {
  two: { deadLetters: [letter('6', 'a'), letter('5', 'b')], cursor: 'three' },
  three: { deadLetters: [letter('4', 'b'), letter('3', 'a')] },
};
const ofReasonA = async (next: string | undefined) =>
  (
    await readOlderLetters(
      next,
      ({ reason }) => reason === 'a',
      (cursor) => Promise.resolve(pages[cursor]!),
    )
  ).map(({ id }) => id);

it('older dead letters with the same reason are read from all later pages, newest first', async () => {
  expect(await ofReasonA('two')).toEqual(['6', '3']);
  expect(await ofReasonA('three')).toEqual(['3']);
  expect(await ofReasonA(undefined)).toEqual([]);
});

it('the next page that contains a matching dead letter is found among the later pages', async () => {
  const reports: number[] = [];
  const find = (id: string) =>
    findOlderPage(
      'two',
      (each) => each.id === id,
      (cursor) => Promise.resolve(pages[cursor]!),
      (read) => reports.push(read),
    );
  expect(await find('6')).toBe('two');
  expect(await find('3')).toBe('three');
  expect(await find('9')).toBeUndefined();
  expect(reports).toEqual([2, 2, 4]);
});
