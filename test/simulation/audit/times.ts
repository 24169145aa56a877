import { text } from './item.ts';
import type { CommitItem } from './tables.ts';

/** The event times of an instance after a commit. */
export interface Times {
  /** Undefined until the instance applies an event. */
  readonly startedAt: string | undefined;
  readonly statusSince: string;
}

/** Returns the expected times after each commit: event times, but never later than the commit with the event. */
export function timesOf(commits: readonly CommitItem[]): Times[] {
  let startedAt: number | undefined;
  let status: string | undefined;
  let since = 0;
  return commits.map(({ item, entries }) => {
    for (const entry of entries) {
      const time = Math.min(Date.parse(entry.event.time), Date.parse(text(item, 'at')));
      const isStart = startedAt === undefined && !entry.rejected;
      if (isStart || entry.status !== status) since = time;
      ({ status } = entry);
      if (!entry.rejected) startedAt = Math.min(startedAt ?? time, time);
    }
    return {
      startedAt: startedAt === undefined ? undefined : new Date(startedAt).toISOString(),
      statusSince: new Date(since).toISOString(),
    };
  });
}
