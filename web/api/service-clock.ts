/*
 * The current time according to the service. The pages compare times from the service with the current time. If the
 * browser's clock is wrong, comparing with its time would be misleading.
 */

/**
 * The offset stays the same if it differs by no more than this, in milliseconds. The `Date` header is exact only to the
 * second, and a response can be slow.
 */
const toleranceMs = 60_000;

let offsetMs = 0;

/**
 * Compares the browser's clock with the `Date` header of a response that has just arrived. Ignores a missing or invalid
 * header.
 */
export function compareClock(header: string | null): void {
  const foundMs = Date.parse(header ?? '') - Date.now();
  // Keep an earlier offset that is close, because otherwise the times on the page would flicker.
  if (Math.abs(foundMs - offsetMs) > toleranceMs) offsetMs = foundMs;
}

/** Returns the current time in milliseconds since 1970, corrected if the browser's clock is wrong. */
export const serviceNow = (): number => Date.now() + offsetMs;
