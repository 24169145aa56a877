import type { Entry } from '../api/types.ts';

/** An entry of a history with its step. */
export interface TimedEntry {
  readonly entry: Entry;
  /** The position of the entry in the order of recording, counted from 1. */
  readonly step: number;
  /** True if an event that happened later was recorded earlier. */
  readonly isOutOfOrder: boolean;
}

/**
 * Sorts the entries of a history by event time, latest first. Of several events with the same time, the one that was
 * recorded last comes first.
 */
export function byTime(entries: readonly Entry[]): TimedEntry[] {
  let latest = '';
  return entries
    .map((entry, index) => {
      const isOutOfOrder = entry.event.time < latest;
      if (!isOutOfOrder) latest = entry.event.time;
      return { entry, step: index + 1, isOutOfOrder };
    })
    .toSorted((a, b) => {
      if (a.entry.event.time === b.entry.event.time) return b.step - a.step;
      return a.entry.event.time < b.entry.event.time ? 1 : -1;
    });
}
