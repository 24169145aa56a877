import type { Clock } from '../common/clock.ts';
import { messageOf } from '../common/message-of.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { Wakeups } from '../stores/wakeups.ts';
import type { DueTimerIndex } from './due-timer-index.ts';

export interface ScheduleWakeupsDependencies {
  readonly index: DueTimerIndex;
  readonly wakeups: Wakeups;
  readonly clock: Clock;
}

/**
 * The span that the clock looks ahead, in milliseconds: three runs, so two consecutive runs can fail without delaying a
 * timer.
 */
export const lookAhead = 180_000;
const second = 1_000;

/**
 * Schedules a run of the clock at the end of each second in which timers are due or deadlines pass, for the next three
 * minutes. Reads at most one key per partition for each of these seconds, regardless of the number of timers.
 *
 * @param deadline when to stop reading, in milliseconds since 1970.
 * @returns the reason that the index could not be read; undefined if it was read. The next run reads the index again.
 */
export async function scheduleWakeups(
  { index, wakeups, clock }: ScheduleWakeupsDependencies,
  deadline: number,
): Promise<string | undefined> {
  const now = clock.now();
  const by = toIso(now + lookAhead);
  const ends = new Set<number>();
  let failure: string | undefined;
  try {
    for (const partition of await index.partitions()) {
      let after = now;
      for (;;) {
        const dueAt = await index.nextDue(partition, toIso(after), by);
        if (dueAt === undefined || clock.now() >= deadline) break;
        after = endOfSecond(Date.parse(dueAt));
        ends.add(after);
        // Seconds that are already scheduled for other partitions need no read.
        while (ends.has(after + second)) after += second;
      }
    }
  } catch (error) {
    failure = messageOf(error);
  }
  if (ends.size === 0) return failure;
  // The delay of a wake-up is a whole number of seconds, so a run starts at the beginning of a second only if it is
  // requested at the beginning of a second.
  await clock.sleep(endOfSecond(clock.now()) - clock.now());
  await wakeups.schedule([...ends]);
  return failure;
}

const endOfSecond = (time: number) => second * Math.ceil(time / second);
