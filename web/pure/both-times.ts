import type { Entry } from '../api/types.ts';

/**
 * The maximum difference between an event's time and its record time, in milliseconds, at which pages show only one
 * time.
 */
const negligibleMs = 60_000;

/** Returns true if the event time and the record time of an event differ by more than a minute. */
export const isRecordedAtOtherTime = ({ event, at }: Entry) =>
  Math.abs(Date.parse(at) - Date.parse(event.time)) > negligibleMs;
