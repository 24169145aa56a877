import { toIso } from '../core/time/timestamp.ts';

/**
 * Returns the default time of an event in a test or sample: one second after the previous event, or the beginning of
 * 2026 for the first event.
 */
export const timeAfter = (previous: string | undefined): string =>
  toIso(previous === undefined ? Date.UTC(2026, 0, 1) : Date.parse(previous) + 1000);
