import { halvesOf } from '../common/chunks.ts';
import type { Clock } from '../common/clock.ts';
import type { ExpiringSet } from '../common/expiring-set.ts';
import { messageOf } from '../common/message-of.ts';
import { type Timer, timerEvent } from '../core/effects/timer.ts';
import { isPermanent } from '../core/errors.ts';
import { type InstanceKey, partitionKeyOf } from '../core/event/event.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { SettledResult } from '../stores/settled-result.ts';
import type { EventStream, OutgoingRecord } from '../stream/event-stream.ts';
import { RecordsRefusedError } from '../stream/records-refused-error.ts';
import type { DueTimerIndex, InstanceTimers, Visit } from './due-timer-index.ts';

export interface FireTimersDependencies {
  readonly index: DueTimerIndex;
  readonly stream: EventStream;
  readonly clock: Clock;
  /**
   * The timers that this process fired recently. These timers are skipped because firing them again would change
   * nothing.
   */
  readonly recentlyFired: ExpiringSet;
}

export interface FireTimersResult {
  /** The number of events put on the stream. */
  readonly fired: number;
  /**
   * The distinct reasons that timers could not fire or instances could not be marked as late. A later run tries again.
   */
  readonly failures: readonly string[];
}

/**
 * The minimum delay before the same timer fires again, in milliseconds. The timer's first event may still be waiting on
 * the stream. The longer the timer has been due, the longer the delay, to limit the number of repeated events if the
 * stream lags far behind or the model was removed.
 */
export const refireDelay = 30_000;
/** How long the clock skips an instance with parked events, in milliseconds. A redrive ends the delay early. */
const parkedDelay = 10_000;

/**
 * Puts an event on the stream for each due timer, except recently fired timers and timers of instances with parked
 * events, and marks the instances that became late. Firing a timer late or several times is safe: a timer always
 * results in the same event, and an event from a timer that is no longer running changes nothing. Never throws an
 * error.
 *
 * @param deadline when to stop, in milliseconds since 1970. The remaining timers fire in a later run.
 */
export async function fireTimers(
  dependencies: FireTimersDependencies,
  deadline: number,
): Promise<FireTimersResult> {
  try {
    const partitions = await dependencies.index.partitions();
    return joinResults(
      await Promise.all(
        partitions.map((partition) => firePartition(dependencies, partition, deadline)),
      ),
    );
  } catch (error) {
    return { fired: 0, failures: [messageOf(error)] };
  }
}

/** Joins the results of several partitions or runs. */
export const joinResults = (results: readonly FireTimersResult[]): FireTimersResult => ({
  fired: results.reduce((sum, { fired }) => sum + fired, 0),
  failures: [...new Set(results.flatMap(({ failures }) => failures))],
});

async function firePartition(
  dependencies: FireTimersDependencies,
  partition: string,
  deadline: number,
): Promise<FireTimersResult> {
  const { index, clock } = dependencies;
  const failures: string[] = [];
  let fired = 0;
  try {
    for await (const page of index.dueInstances(partition, toIso(clock.now()))) {
      fired += await firePage(dependencies, page, (error) => failures.push(messageOf(error)));
      if (clock.now() >= deadline) break;
    }
  } catch (error) {
    failures.push(messageOf(error));
  }
  return { fired, failures };
}

/** An instance with a due timer or a passed deadline. */
interface DueInstance extends InstanceTimers {
  readonly dueTimers: readonly Timer[];
  /** The deadline that has passed; undefined if none has passed or the instance is already marked as late. */
  readonly lateSince: string | undefined;
}

/**
 * Fires the due timers of a page of instances and marks the instances that became late. Returns the number of events
 * put on the stream.
 */
async function firePage(
  dependencies: FireTimersDependencies,
  instances: readonly InstanceKey[],
  failed: (error: unknown) => void,
): Promise<number> {
  const { index, stream, clock, recentlyFired: recent } = dependencies;
  const now = toIso(clock.now());
  try {
    const answers = successfulValues(await index.readTimers(instances), failed);
    const due = answers
      .flatMap((waiting) => waiting ?? [])
      .map(
        (waiting): DueInstance => ({
          ...waiting,
          dueTimers: waiting.timers.filter(({ dueAt }) => dueAt <= now),
          lateSince:
            waiting.lateAt !== undefined && waiting.lateAt <= now ? waiting.lateAt : undefined,
        }),
      )
      .filter(({ dueTimers, lateSince }) => dueTimers.length > 0 || lateSince !== undefined);
    const firing = due.map((each) => ({
      each,
      events: timerRecordsOf(each).filter(({ name }) => !recent.has(name)),
    }));
    const records = firing.flatMap(({ events }) => events.map(({ record }) => record));
    const refused = await putOnStream(stream, records, failed);
    const isAccepted = ({ record }: TimerRecord) => !refused.has(record);
    const accepted = firing.flatMap(({ events }) => events.filter(isAccepted));
    for (const { name } of accepted) recent.add(name);
    // Visits are recorded after the events are put. If a put fails, the next run finds the timers again. After a
    // timer's event is committed, the update of the status row also moves the instance to its next visit.
    const visits = firing
      .filter(({ events }) => events.every(isAccepted))
      .map(({ each }) => visitOf(each, clock.now()));
    successfulValues(await index.record(visits), failed);
    return accepted.length;
  } catch (error) {
    if (instances.length > 1 && isPermanent(error)) {
      // At least one of the instances causes the error. Each half is tried separately so that the other instances'
      // timers can fire.
      const halves = halvesOf(instances).map((half) => firePage(dependencies, half, failed));
      const fired = await Promise.all(halves);
      return fired.reduce((sum, count) => sum + count, 0);
    }
    failed(error);
    return 0;
  }
}

/**
 * Puts records on the stream. Returns the records that the stream rejected, for example, because one of its shards is
 * throttled. The instances of these records must not hold back the other instances on the page.
 */
async function putOnStream(
  stream: EventStream,
  records: readonly OutgoingRecord[],
  failed: (error: unknown) => void,
): Promise<ReadonlySet<OutgoingRecord>> {
  try {
    await stream.put(records);
    return new Set();
  } catch (error) {
    if (!(error instanceof RecordsRefusedError)) throw error;
    failed(error);
    return error.refused;
  }
}

function visitOf(due: DueInstance, now: number): Visit {
  const { instance, version, timers, lateAt, lateSince } = due;
  const deadline = lateSince === undefined ? lateAt : undefined;
  const next = [nextFiring(due, now) ?? timers[0]?.dueAt, deadline]
    .filter((moment) => moment !== undefined)
    .toSorted()[0];
  return { instance, version, next, lateSince };
}

/**
 * Returns when an instance's due timers fire again if their events have not been applied by then; undefined if no timer
 * is due.
 */
function nextFiring({ hasParked, dueTimers }: DueInstance, now: number): string | undefined {
  const [first] = dueTimers;
  if (!first) return undefined;
  const pause = hasParked ? parkedDelay : Math.max(refireDelay, now - Date.parse(first.dueAt));
  return toIso(now + pause);
}

/** A timer's event as a stream record, with a name that identifies the timer and its run. */
interface TimerRecord {
  readonly name: string;
  readonly record: OutgoingRecord;
}

function timerRecordsOf({ instance, hasParked, dueTimers }: DueInstance): TimerRecord[] {
  // These timers' events would also be parked, and the events that are already parked may cancel the timers.
  if (hasParked) return [];
  return dueTimers.map((timer) => {
    const data = Buffer.from(JSON.stringify(timerEvent(instance, timer)));
    // Thousands of timers can be due at the same time. Only timers that are due in different seconds must keep their
    // order.
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
