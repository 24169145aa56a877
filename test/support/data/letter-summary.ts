import type { LetterSummary } from '../../../web/api/types.ts';

/** Returns the dead letter of an invalid record, as lists contain it. */
export const letterSummary = (
  id: string,
  reason: string,
  more: Partial<LetterSummary> = {},
): LetterSummary => ({
  id,
  reason,
  at: '2026-01-05T09:00:00.000Z',
  modelId: null,
  transactionId: null,
  eventId: null,
  parked: false,
  ...more,
});
