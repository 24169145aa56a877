import { messageOf } from '../common/message-of.ts';
import { isFromClock } from '../core/effects/timer.ts';
import { isPermanent } from '../core/errors.ts';
import type { InstanceKey } from '../core/event/event.ts';
import {
  type Commit,
  type CommitTail,
  type Head,
  type PositionedStep,
  tailOf,
} from '../core/history/commit.ts';
import { storedReason } from '../core/history/reason.ts';
import { changesRow } from '../core/status/status-row.ts';
import { type StepTime, stepTimes } from '../core/status/step-times.ts';
import type { SortedOut } from './duplicates.ts';
import type { EventOutcome, Fault, PositionedEvent } from './protocol.ts';

/** What there is to see of a commit that was just made. */
export interface Observation extends Pick<Commit, 'at'> {
  readonly events: number;
  readonly steps: readonly StepTime[];
}

/** One instance's events of one call, in order, and how far they got. */
export class InstanceWork {
  readonly key: InstanceKey;
  readonly outcomes = new Map<PositionedEvent, EventOutcome>();
  /** As the newest commit known left it; `undefined` before the first, `'unknown'` until it is read. */
  newest: Head | undefined | 'unknown' = 'unknown';
  /**
   * How well that is known. By a guess only what is then committed may be decided, because a
   * commit on a wrong one ends in a conflict; for anything else one has to look.
   */
  knowledge: 'guessed' | 'certain' = 'guessed';
  /** True when events may be parked: some are, or a change of the queue was begun and not finished. */
  mayHaveParked = false;
  /** Events that are still to be applied. */
  open: readonly PositionedEvent[];
  /** The most of them that are folded into one commit. */
  #mostPerCommit = Number.POSITIVE_INFINITY;
  /** The commits whose effects are to be done. */
  readonly commits = new Set<CommitTail>();
  /** What the commits that this call made show. */
  readonly observations: Observation[] = [];
  /** Whether the status row may have to be written. */
  rowIsBehind = false;
  /** True once nothing is left to do for these events, effects and status row included. */
  isComplete = false;
  /** Whether events of this call have to wait behind parked ones. */
  isBehind = false;
  /** Events that somebody sent again. */
  readonly repeated = new Set<PositionedEvent>();

  constructor(key: InstanceKey, events: readonly PositionedEvent[]) {
    this.key = key;
    this.open = events;
  }

  /** The open events that the next commit may hold. */
  get next(): readonly PositionedEvent[] {
    return this.#mostPerCommit < this.open.length
      ? this.open.slice(0, this.#mostPerCommit)
      : this.open;
  }

  /** What is known of it does not do, or turned out to be old. */
  lookClosely(): void {
    this.newest = 'unknown';
    this.knowledge = 'certain';
  }

  /** Leaves out the open events that the instance has had. */
  keepFresh({ fresh, repeated, redelivered }: SortedOut, mayHaveParked: boolean): void {
    const kept = new Set(fresh);
    const outcome = { outcome: 'duplicate', ...(mayHaveParked ? { parked: true } : {}) } as const;
    for (const event of this.open) if (!kept.has(event)) this.outcomes.set(event, outcome);
    for (const event of repeated) this.repeated.add(event);
    for (const commit of redelivered) this.commits.add(commit);
    // A crash may have left it so; and the clock goes by the row.
    const again = repeated.some(({ event }) => isFromClock(event));
    if (redelivered.size > 0 || again) this.rowIsBehind = true;
    this.open = fresh;
  }

  /**
   * The first open events are done: folded into this commit, which is written, or over, and then
   * there is perhaps no commit.
   */
  done(commit: Commit | undefined, done: readonly (PositionedStep | 'over')[]): void {
    for (const [index, step] of done.entries())
      this.outcomes.set(this.open[index]!, outcomeOf(step));
    this.open = this.open.slice(done.length);
    if (done.includes('over')) this.rowIsBehind = true;
    if (!commit) return;
    const before = this.newest === 'unknown' ? undefined : this.newest;
    this.rowIsBehind ||= changesRow(before, commit);
    this.newest = commit;
    this.knowledge = 'certain';
    this.commits.add(tailOf(commit));
    const { at, entries } = commit;
    this.observations.push({ at, events: entries.length, steps: stepTimes(before, commit) });
  }

  /** What is still open has to wait behind parked events. */
  behind(): void {
    if (this.open.length > 0) this.isBehind = true;
    this.waitBehind(this.open);
    this.open = [];
  }

  /** These events have to wait behind parked ones. */
  waitBehind(events: readonly PositionedEvent[]): void {
    for (const event of events) this.outcomes.set(event, { outcome: 'behind' });
  }

  /** What is still open cannot be done now; it waits, in order, behind what failed. */
  failed(fault: Fault, whole: string): void {
    // Each event's outcome repeats it, and an answer has room for 6 MB.
    const reason = storedReason(whole);
    for (const event of this.open) this.outcomes.set(event, { outcome: 'failed', fault, reason });
    this.open = [];
  }

  /** Storage failed on it: for now, or for this instance alone and for good. */
  refused(error: unknown): void {
    this.failed(faultOf(error), messageOf(error));
  }

  /**
   * A commit of the next open events was refused for good. With fewer of them one may be written;
   * what one event alone cannot be written for stays with that event.
   */
  commitRefused(error: unknown, count: number): void {
    // A guess may have been wrong.
    if (this.knowledge === 'guessed') this.lookClosely();
    else if (count > 1) this.#mostPerCommit = Math.ceil(count / 2);
    else this.refused(error);
  }

  /** Some of the events cannot be done with yet. */
  comeAgain(events: readonly PositionedEvent[], reason: string, fault: Fault = 'service'): void {
    for (const event of events) this.outcomes.set(event, { outcome: 'failed', fault, reason });
  }

  /** All events have to come again, also applied ones: what follows from their commits is not done. */
  handBack(reason: string, fault: Fault = 'service'): void {
    this.failed(fault, reason);
    this.comeAgain([...this.outcomes.keys()], reason, fault);
  }
}

/** Whose fault an error of storage is. */
export const faultOf = (error: unknown): Fault => (isPermanent(error) ? 'instance' : 'service');

function outcomeOf(step: PositionedStep | 'over'): EventOutcome {
  // A timer that does not run any more is as one that fired before.
  if (step === 'over') return { outcome: 'duplicate' };
  return step.outcome === 'applied'
    ? { outcome: 'applied' }
    : { outcome: 'rejected', reason: step.reason ?? '' };
}

/** The work of a call, one for each instance, in the order of their first events. */
export function workByInstance(events: readonly PositionedEvent[]): InstanceWork[] {
  const groups = Map.groupBy(events, ({ event }) => event.transaction);
  return [...groups.values()].map((group) => {
    const { model, transaction } = group[0]!.event;
    return new InstanceWork({ model, transaction }, group);
  });
}
