import type { LetterSummary } from '../../../web/api/types.ts';

/** Returns the list entry for the dead letter of an invalid record. */
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
