import type { Clock } from '../common/clock.ts';
import type { ExpiringSet } from '../common/expiring-set.ts';
import { messageOf } from '../common/message-of.ts';
import { timerEvent } from '../core/effects/timer.ts';
import { isPermanent } from '../core/errors.ts';
import { type InstanceKey, partitionKeyOf } from '../core/event/event.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { SettledResult } from '../stores/settled-result.ts';
import type { EventStream, OutgoingRecord } from '../stream/event-stream.ts';
import type { DueTimerIndex, InstanceTimers, Postponement } from './due-timer-index.ts';

/** What firing timers needs around it. */
export interface FireTimersDependencies {
  readonly index: DueTimerIndex;
  readonly stream: EventStream;
  readonly clock: Clock;
  /** The timers that were fired lately: to know them saves events that would change nothing. */
  readonly recentlyFired: ExpiringSet;
}

/** What became of the timers that were due. */
export interface FireTimersResult {
  /** How many events went to the stream. */
  readonly fired: number;
  /** Why others did not, each reason once. Their timers are due still. */
  readonly failures: readonly string[];
}

/**
 * For so long, in milliseconds, a timer that was fired may take to come back from the stream before
 * it is fired again; then for as long as it has been due, so that a stream that lags far behind, or a
 * model that is gone, does not get the same events without end.
 */
export const refireDelay = 30_000;
/** For so long an instance of which events are parked is left alone: its redrive ends that too. */
const parkedDelay = 10_000;

/**
 * Puts an event on the stream for every timer that is due. It is safe to do so again, and to be too
 * late: what a timer becomes is always the same event, and one of a timer that does not run any more
 * changes nothing.
 *
 * @param deadline when to stop, in milliseconds since 1970; what is left is due still.
 */
export async function fireTimers(
  dependencies: FireTimersDependencies,
  deadline: number,
): Promise<FireTimersResult> {
  const walks = dependencies.index.shards.map((shard) => fireShard(dependencies, shard, deadline));
  const parts = await Promise.all(walks);
  return {
    fired: parts.reduce((sum, { fired }) => sum + fired, 0),
    failures: [...new Set(parts.flatMap(({ failures }) => failures))],
  };
}

async function fireShard(
  dependencies: FireTimersDependencies,
  shard: string,
  deadline: number,
): Promise<FireTimersResult> {
  const { index, clock } = dependencies;
  const failures: string[] = [];
  let fired = 0;
  try {
    for await (const page of index.dueInstances(shard, toIso(clock.now()))) {
      fired += await firePage(dependencies, page, (error) => failures.push(messageOf(error)));
      if (clock.now() >= deadline) break;
    }
  } catch (error) {
    failures.push(messageOf(error));
  }
  return { fired, failures };
}

/** Fires what is due of some instances, and says how many timers that were. */
async function firePage(
  dependencies: FireTimersDependencies,
  instances: readonly InstanceKey[],
  failed: (error: unknown) => void,
): Promise<number> {
  const { index, stream, clock, recentlyFired: recent } = dependencies;
  const now = toIso(clock.now());
  try {
    const answers = successfulValues(await index.readTimers(instances), failed);
    const due = answers.flatMap((waiting) => {
      const timers = waiting?.timers.filter(({ dueAt }) => dueAt <= now) ?? [];
      return waiting && timers.length > 0 ? [{ ...waiting, timers }] : [];
    });
    const events = due.flatMap(timerRecordsOf).filter(({ name }) => !recent.has(name));
    await stream.put(events.map(({ record }) => record));
    for (const { name } of events) recent.add(name);
    // Only now: what was not put has to be found again. A commit that comes of it ends the wait.
    successfulValues(
      await index.postpone(due.map((each) => postponementOf(each, clock.now()))),
      failed,
    );
    return events.length;
  } catch (error) {
    if (instances.length > 1 && isPermanent(error)) {
      // Refused because of one of them: the timers of the others fire without it.
      const middle = Math.ceil(instances.length / 2);
      const halves = [instances.slice(0, middle), instances.slice(middle)];
      const fired = await Promise.all(halves.map((half) => firePage(dependencies, half, failed)));
      return fired.reduce((sum, count) => sum + count, 0);
    }
    failed(error);
    return 0;
  }
}

function postponementOf(
  { instance, version, hasParked, timers }: InstanceTimers,
  now: number,
): Postponement {
  const overdue = now - Date.parse(timers[0]!.dueAt);
  const pause = hasParked ? parkedDelay : Math.max(refireDelay, overdue);
  return { instance, version, until: toIso(now + pause) };
}

/** A timer's event as it goes to the stream, with a name that no other one has. */
interface TimerRecord {
  readonly name: string;
  readonly record: OutgoingRecord;
}

function timerRecordsOf({ instance, hasParked, timers }: InstanceTimers): TimerRecord[] {
  // They would only join the queue; after the redrive the model may have cancelled them.
  if (hasParked) return [];
  return timers.map((timer) => {
    const data = Buffer.from(JSON.stringify(timerEvent(instance, timer)));
    // An instance may have thousands that are due at once: the second is what they are ordered by.
    const moment = timer.dueAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
    return {
      name: JSON.stringify([instance.model, instance.transaction, timer.name, timer.run]),
      record: { partitionKey: partitionKeyOf(instance), data, moment },
    };
  });
}

function successfulValues<Value>(
  answers: readonly SettledResult<Value>[],
  failed: (error: unknown) => void,
): Value[] {
  return answers.flatMap((answer) => {
    if ('value' in answer) return [answer.value];
    failed(answer.error);
    return [];
  });
}
