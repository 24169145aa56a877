import type { StreamPosition } from '../../core/history/commit.ts';
import type { QueueSummary } from '../../parking/parking-store.ts';
import type { Item } from '../client/dynamodb.ts';
import { parkedKey } from '../instances/instance-keys.ts';

/*
 * The queue of parked events on an instance's status row: a count, a version that every
 * change raises, and the announcements of changes that are under way.
 */

/**
 * A change cannot be under way for longer than this, in milliseconds: no function runs for more than
 * 15 minutes.
 */
const maximumChangeDuration = 60 * 60 * 1000;

/** The announcement of a change: its cause, and when it began, in milliseconds since 1970. */
export const announcementOf = (cause: StreamPosition, begunAt: number) =>
  `${parkedKey(cause)}@${begunAt}`;

/** The announcements of changes that are under way, or were interrupted. */
export const announcementsIn = (row: Item | undefined): readonly string[] => row?.parking?.SS ?? [];

/** The announcements that are over once a change ends that made one of them. */
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

/** Zero where no change was made yet. */
export const queueVersionOf = (row: Item | undefined) => Number(row?.queueVersion?.N ?? 0);

/** The queue as a row has it, which is exact while no change is announced. */
export function queueSummaryIn(row: Item | undefined): QueueSummary {
  const [since] = row?.parkedKey?.S?.split('#') ?? [];
  return { count: Number(row?.parked?.N ?? 0), since };
}
