import { expect, it } from 'vitest';
import { readOlderLetters } from '../../web/api/read-older-letters.ts';
import type { DeadLetterPage, LetterSummary } from '../../web/api/types.ts';

const letter = (id: string, reason: string): LetterSummary => ({
  id,
  reason,
  at: '2026-01-05T09:00:00.000Z',
  modelId: null,
  transactionId: null,
  eventId: null,
  parked: false,
});
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

it('the older dead letters with a reason are read from all later pages, newest first', async () => {
  expect(await ofReasonA('two')).toEqual(['6', '3']);
  expect(await ofReasonA('three')).toEqual(['3']);
  expect(await ofReasonA(undefined)).toEqual([]);
});
