import type { StreamPosition } from '../../core/history/sequence.ts';
import type { QueueSummary } from '../../parking/parking-store.ts';
import { parkedKey } from './instance-keys.ts';
import type { StatusItem } from './status-attributes.ts';
import { momentOf } from './status-index-keys.ts';

/*
 * The attributes of a status row that describe the queue of parked events: a count, a version that every change
 * increments, and the announcements of changes in progress.
 */

/**
 * How long after its start a change counts as interrupted, in milliseconds. No function runs longer than 15 minutes.
 */
const maximumChangeDuration = 60 * 60 * 1000;

/** Formats the announcement of a change: its cause and its start time in milliseconds since 1970. */
export const announcementOf = (cause: StreamPosition, begunAt: number) =>
  `${parkedKey(cause)}@${begunAt}`;

/** Returns the announcements of changes that are in progress or were interrupted. */
export const announcementsIn = (row: StatusItem | undefined): readonly string[] =>
  row?.parking?.SS ?? [];

/**
 * Returns the announcements to delete when a change ends: its own announcement, announcements with the same cause,
 * and expired announcements.
 */
export function endedAnnouncements(
  name: string,
  announced: readonly string[],
  now: number,
): string[] {
  const cause = name.slice(0, name.lastIndexOf('@') + 1);
  const isOver = (each: string) =>
    each.startsWith(cause) ||
    Number(each.slice(each.lastIndexOf('@') + 1)) < now - maximumChangeDuration;
  return [name, ...announced.filter((each) => each !== name && isOver(each))];
}

/** Returns true if an instance has parked events or an announced queue change. */
export const mayHaveParkedEvents = (row: StatusItem) =>
  queueSummaryIn(row).count > 0 || announcementsIn(row).length > 0;

/** Returns the queue's version; 0 if the queue has never changed. */
export const queueVersionOf = (row: StatusItem | undefined) => Number(row?.queueVersion?.N ?? 0);

/** Returns the summary of the queue on a status row. It is exact if no change is announced. */
export function queueSummaryIn(row: StatusItem | undefined): QueueSummary {
  const key = row?.parkedKey?.S;
  return { count: Number(row?.parked?.N ?? 0), since: key && momentOf(key) };
}
