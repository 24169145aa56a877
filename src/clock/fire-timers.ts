import type { Clock } from '../common/clock.ts';
import type { Recent } from '../common/expiring-set.ts';
import { messageOf } from '../common/message-of.ts';
import { timerEvent } from '../core/effects/timer.ts';
import { isPermanent } from '../core/errors.ts';
import { type InstanceKey, partitionKeyOf } from '../core/event/event.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { Settled } from '../stores/settled.ts';
import type { EventStream, OutgoingRecord } from '../stream/event-stream.ts';
import type { DueIndex, Postponed, Waiting } from './due-timer-index.ts';

/** What firing timers needs around it. */
export interface FireEnvironment {
  readonly index: DueIndex;
  readonly stream: EventStream;
  readonly clock: Clock;
  /** The timers that were fired lately: to know them saves events that would change nothing. */
  readonly recentlyFired: Recent;
}

/** What became of the timers that were due. */
export interface Fired {
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
export const patience = 30_000;
/** For so long an instance of which events are parked is left alone: its redrive ends that too. */
const parkedPause = 10_000;

/**
 * Puts an event on the stream for every timer that is due. It is safe to do so again, and to be too
 * late: what a timer becomes is always the same event, and one of a timer that does not run any more
 * changes nothing.
 *
 * @param deadline when to stop, in milliseconds since 1970; what is left is due still.
 */
export async function fireTimers(dependencies: FireEnvironment, deadline: number): Promise<Fired> {
  const walks = dependencies.index.shards.map((shard) => fireShard(dependencies, shard, deadline));
  const parts = await Promise.all(walks);
  return {
    fired: parts.reduce((sum, { fired }) => sum + fired, 0),
    failures: [...new Set(parts.flatMap(({ failures }) => failures))],
  };
}

async function fireShard(
  dependencies: FireEnvironment,
  shard: string,
  deadline: number,
): Promise<Fired> {
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
  dependencies: FireEnvironment,
  instances: readonly InstanceKey[],
  failed: (error: unknown) => void,
): Promise<number> {
  const { index, stream, clock, recentlyFired: recent } = dependencies;
  const now = toIso(clock.now());
  try {
    const answers = valuesOf(await index.readTimers(instances), failed);
    const due = answers.flatMap((waiting) => {
      const timers = waiting?.timers.filter(({ dueAt }) => dueAt <= now) ?? [];
      return waiting && timers.length > 0 ? [{ ...waiting, timers }] : [];
    });
    const events = due.flatMap(eventsOf).filter(({ name }) => !recent.has(name));
    await stream.put(events.map(({ record }) => record));
    for (const { name } of events) recent.add(name);
    // Only now: what was not put has to be found again. A commit that comes of it ends the wait.
    valuesOf(await index.postpone(due.map((each) => postponed(each, clock.now()))), failed);
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

function postponed({ instance, version, hasParked, timers }: Waiting, now: number): Postponed {
  const overdue = now - Date.parse(timers[0]!.dueAt);
  const pause = hasParked ? parkedPause : Math.max(patience, overdue);
  return { instance, version, until: toIso(now + pause) };
}

/** A timer's event as it goes to the stream, with a name that no other one has. */
interface Outgoing {
  readonly name: string;
  readonly record: OutgoingRecord;
}

function eventsOf({ instance, hasParked, timers }: Waiting): Outgoing[] {
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

function valuesOf<Value>(
  answers: readonly Settled<Value>[],
  failed: (error: unknown) => void,
): Value[] {
  return answers.flatMap((answer) => {
    if ('value' in answer) return [answer.value];
    failed(answer.error);
    return [];
  });
}
