import { isDeepStrictEqual } from 'node:util';
import { timerEvent, timerFiredType } from '../core/effects/timer.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { type Head, headOf } from '../core/history/commit.ts';
import { type FoldedEvent, nextCommit } from '../core/history/next-commit.ts';
import { toUtc } from '../core/time/timestamp.ts';
import { reasonOfFault } from '../model-runtime/fault-reporter.ts';
import { timeAfter } from '../testing/time-after.ts';
import { excerpt } from './check.ts';
import type { History, SampleEvent } from './samples.ts';
import type { Subject } from './subject.ts';

/** A played history: its events as they were sent, and the result of each event. */
export interface PlayedHistory {
  readonly name: string;
  readonly events: readonly TrackedEvent[];
  readonly steps: readonly FoldedEvent[];
}

const at = '2026-01-01T00:00:00.000Z';

/**
 * Plays a history event by event, as if each event arrived separately. Validates every response like Milepost, runs
 * timers, and checks the expectations in the history.
 *
 * @throws Error with the number of the event that failed.
 */
export async function play(subject: Subject, history: History): Promise<PlayedHistory> {
  const events: TrackedEvent[] = [];
  const steps: FoldedEvent[] = [];
  let head: Head | undefined;
  for (const [place, sample] of history.events.entries()) {
    const event = eventOf(subject, place, sample, { head, previous: events.at(-1) });
    const position = { shard: 'shard', sequence: String(place) };
    const [fold] = await subject.model.fold([{ head, events: [{ event, position }] }]);
    const where = `event ${place + 1}, ${event.type}`;
    if (!fold || 'unavailable' in fold) throw new Error(`${where}: ${fold?.unavailable}`);
    if ('fault' in fold) throw new Error(`${where}: ${reasonOfFault(fold.fault)}`);
    const { model, results } = fold;
    const [step] = results;
    if (!model || !step || step === 'stale-timer') throw new Error(`${where}: no step`);
    unlessExpected(where, sample, step);
    const commit = { at, modelVersion: model.version, progress: null, lateAt: null, riskAt: null };
    head = headOf(nextCommit(event, head, [step], commit));
    events.push(event);
    steps.push(step);
  }
  return { name: history.name, events, steps };
}

function eventOf(
  subject: Subject,
  place: number,
  sample: SampleEvent,
  { head, previous }: { readonly head?: Head; readonly previous?: TrackedEvent },
): TrackedEvent {
  // Functions receive all times in UTC.
  const given = sample.time === undefined ? undefined : toUtc(sample.time);
  if (!('fired' in sample)) {
    const { expect: _, ...event } = sample;
    const time = given ?? timeAfter(previous?.time);
    return subject.event(place, { ...(event as Partial<TrackedEvent>), time });
  }
  const timer = head?.timers.find(({ name }) => name === sample.fired);
  if (!timer) throw new Error(`event ${place + 1}: no timer ${excerpt(sample.fired)} is running`);
  const { id, source, data, ...fired } = timerEvent(
    subject.event(place, {}),
    timer,
  ) as unknown as TrackedEvent;
  return subject.event(place, {
    id,
    source,
    type: timerFiredType,
    time: given ?? fired.time,
    data,
  });
}

function unlessExpected(where: string, { expect = {} }: SampleEvent, step: FoldedEvent): void {
  const { status } = step.after.description;
  const was = {
    accepted: step.outcome === 'applied',
    reason: step.reason,
    status,
    state: step.after.state,
  };
  for (const [name, value] of Object.entries(expect))
    if (!isDeepStrictEqual(was[name as keyof typeof was], value))
      throw new Error(
        `${where}: expected ${name} ${excerpt(value)}, but it is ${excerpt(was[name as keyof typeof was])}` +
          (step.reason === null ? '' : ` (${step.reason})`),
      );
}
