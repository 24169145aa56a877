import type { Entry } from '../api/types.ts';

/** The difference between an event's time and its record time up to which pages show only one of them, in milliseconds. */
const negligibleMs = 60_000;

/** True if an event was recorded at another time than it happened, by more than a minute. */
export const isRecordedAtOtherTime = ({ event, at }: Entry) =>
  Math.abs(Date.parse(at) - Date.parse(event.time)) > negligibleMs;
