import { describe, expect, it } from 'vitest';
import type { LetterSummary } from '../../web/api/types.ts';
import { groupLetters, matchesText } from '../../web/pure/letter-groups.ts';
import { letterSummary as letter } from '../support/data/letter-summary.ts';

const groups = (...letters: LetterSummary[]) =>
  groupLetters(letters).map(({ reason, letters }) => [reason, letters.map(({ id }) => id)]);

describe('groups of dead letters', () => {
  it('each contain the dead letters with one reason, and the largest group comes first', () => {
    expect(
      groups(letter('1', 'not JSON'), letter('2', 'too large'), letter('3', 'too large')),
    ).toEqual([
      ['too large', ['2', '3']],
      ['not JSON', ['1']],
    ]);
  });

  it('combine faults of a model in the same place, ignoring event ids', () => {
    const fault = (eventId: string) =>
      letter(eventId, `model claim failed on claim.approved ${eventId}: oh (model.ts:5:3)`, {
        eventId,
      });
    expect(groups(fault('e1'), fault('e2'))).toEqual([
      ['model claim failed on claim.approved: oh (model.ts:5:3)', ['e1', 'e2']],
    ]);
  });
});

describe('the filter for dead letters', () => {
  const found = letter('0mwts5', 'no such model: claims', {
    modelId: 'claims',
    transactionId: 'CL-7',
    eventId: 'e9',
  });
  it.each(['NO SUCH', 'cl-7', ' e9 ', '0mwts5', 'claims/CL-7', ''])(
    'matches the text %j',
    (text) => {
      expect(matchesText(found, text)).toBe(true);
    },
  );

  it('matches the reason of a group, which omits event ids', () => {
    const fault = letter('1', 'model claim failed on claim.approved e9: oh', { eventId: 'e9' });
    expect(matchesText(fault, 'model claim failed on claim.approved: oh')).toBe(true);
  });

  it('does not match text that the dead letter does not contain', () => {
    expect(matchesText(found, 'CL-8')).toBe(false);
  });
});
