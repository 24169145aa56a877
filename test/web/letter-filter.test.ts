import { describe, expect, it } from 'vitest';
import { matchesText } from '../../web/pure/letter-filter.ts';
import { letterSummary as letter } from '../support/data/letter-summary.ts';

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
    const withoutIds = letter('1', 'not JSON');
    expect(matchesText(withoutIds, 'CL-8')).toBe(false);
    // Only the address of an instance contains the slash.
    expect(matchesText(withoutIds, '/')).toBe(false);
  });
});
