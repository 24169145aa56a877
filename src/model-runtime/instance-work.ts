import { messageOf } from '../common/message-of.ts';
import { isClockEvent } from '../core/effects/timer.ts';
import { isPermanent } from '../core/errors.ts';
import type { InstanceKey } from '../core/event/event.ts';
import { type Commit, type CommitTail, type Head, tailOf } from '../core/history/commit.ts';
import { storedReason } from '../core/history/reason.ts';
import { changesStatusRow } from '../core/status/status-row.ts';
import { type StepTime, stepTimes } from '../core/status/step-times.ts';
import type { PartitionedEvents } from './duplicates.ts';
import type { FoldResult } from './fold-batch.ts';
import type { EventOutcome, FaultKind, PositionedEvent } from './protocol.ts';
import type { InstanceBatch } from './remote/remote-model.ts';

/** What charts and expected times learn from a new commit. */
export interface Observation extends Pick<Commit, 'at'> {
  readonly events: number;
  readonly steps: readonly StepTime[];
}

/**
 * One instance's events of one call, in order, and the progress of applying them. The methods are called in this
 * order: read, fold, commit, again until no event is unapplied, then the tails of the commits.
 */
export class InstanceWork {
  readonly key: InstanceKey;
  readonly #outcomes = new Map<PositionedEvent, EventOutcome>();
  #unapplied: readonly PositionedEvent[];
  /** The instance as the latest commit that was read or written left it; undefined before the first. */
  #head: Head | undefined;
  #requiredRead: 'optimistic' | 'consistent' | undefined = 'optimistic';
  #isConsistent = false;
  #mayHaveParked = false;
  /** The most events that are folded into one commit. */
  #commitLimit = Number.POSITIVE_INFINITY;
  readonly #tails = new Set<CommitTail>();
  readonly #observations: Observation[] = [];
  readonly #resent = new Set<PositionedEvent>();
  #isRowStale = false;
  #waitsBehindParked = false;
  #isComplete = false;

  constructor(key: InstanceKey, events: readonly PositionedEvent[]) {
    this.key = key;
    this.#unapplied = events;
  }

  /** The outcome of each event that has one so far. */
  get outcomes(): ReadonlyMap<PositionedEvent, EventOutcome> {
    return this.#outcomes;
  }

  /** The events that have no outcome yet. */
  get unapplied(): readonly PositionedEvent[] {
    return this.#unapplied;
  }

  /** The latest commit that is known, without its entries; undefined where there is none, or where it has to be read. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** The read that the unapplied events need before they can be folded; undefined where they need none. */
  get requiredRead(): 'optimistic' | 'consistent' | undefined {
    return this.#unapplied.length > 0 ? this.#requiredRead : undefined;
  }

  /**
   * Whether `head` is certain to be the latest commit. An optimistic read decides only what a commit then confirms,
   * because a commit on an older head ends in a conflict.
   */
  get isConsistent(): boolean {
    return this.#isConsistent;
  }

  /** True when events may be parked: some are, or a change of the queue was begun and not finished. */
  get mayHaveParked(): boolean {
    return this.#mayHaveParked;
  }

  /** The unapplied events that the next commit may hold. */
  get nextBatch(): InstanceBatch {
    return { head: this.#head, events: this.#unapplied.slice(0, this.#commitLimit) };
  }

  /** The commits whose effects and notifications are to be sent. */
  get tails(): ReadonlySet<CommitTail> {
    return this.#tails;
  }

  /** What there is to learn from the commits of this call. */
  get observations(): readonly Observation[] {
    return this.#observations;
  }

  /** Events that a producer sent again. */
  get resent(): ReadonlySet<PositionedEvent> {
    return this.#resent;
  }

  /** Whether the status row may have to be written. */
  get isRowStale(): boolean {
    return this.#isRowStale;
  }

  /** True once nothing is left to do for these events, effects and status row included. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** An optimistic read found out whether events may be parked. */
  noteParked(mayHaveParked: boolean): void {
    this.#mayHaveParked = mayHaveParked;
  }

  /** The recent events of `head` were flushed: the next commit is made from this one. */
  replaceHead(head: Head): void {
    this.#head = head;
  }

  /** `head` does not suffice, or turned out to be old. */
  requireConsistentRead(): void {
    this.#head = undefined;
    this.#requiredRead = 'consistent';
  }

  /**
   * The instance was read: continues from its latest commit, without the events that the instance has had.
   *
   * @param mayHaveParked whether a duplicate may be among the parked events.
   */
  continueFrom(
    head: Head | undefined,
    { unapplied, resent, redelivered }: PartitionedEvents,
    mayHaveParked: boolean,
  ): void {
    this.#head = head;
    this.#isConsistent = this.#requiredRead === 'consistent';
    this.#requiredRead = undefined;
    const remaining = new Set(unapplied);
    const duplicate = { outcome: 'duplicate', ...(mayHaveParked ? { parked: true } : {}) } as const;
    for (const event of this.#unapplied)
      if (!remaining.has(event)) this.#outcomes.set(event, duplicate);
    for (const event of resent) this.#resent.add(event);
    for (const commit of redelivered) this.#tails.add(commit);
    // A crash may have left the row stale, and the clock reads due timers from it.
    const isTimerResent = resent.some(({ event }) => isClockEvent(event));
    if (redelivered.size > 0 || isTimerResent) this.#isRowStale = true;
    this.#unapplied = unapplied;
  }

  /** The first unapplied events are folded, and the commit that holds them is written; none where nothing changed. */
  completeFirst(results: readonly FoldResult[], commit?: Commit): void {
    for (const [index, result] of results.entries())
      this.#outcomes.set(this.#unapplied[index]!, outcomeOf(result));
    this.#unapplied = this.#unapplied.slice(results.length);
    if (results.includes('stale-timer')) this.#isRowStale = true;
    if (commit) this.#advanceTo(commit);
  }

  #advanceTo(commit: Commit): void {
    const before = this.#head;
    this.#isRowStale ||= changesStatusRow(before, commit);
    this.#head = commit;
    this.#isConsistent = true;
    this.#tails.add(tailOf(commit));
    const { at, entries } = commit;
    this.#observations.push({ at, events: entries.length, steps: stepTimes(before, commit) });
  }

  /** The unapplied events have to wait behind parked ones. */
  waitBehindParked(): void {
    if (this.#unapplied.length > 0) this.#waitsBehindParked = true;
    for (const event of this.#unapplied) this.#outcomes.set(event, { outcome: 'behind' });
    this.#unapplied = [];
  }

  /** No unapplied event can be applied now: the first one failed, and the others wait behind it, in order. */
  fail(fault: FaultKind, reason: string): void {
    // Each event's outcome repeats the reason, and an answer has room for 6 MB.
    this.#setFailed(this.#unapplied, fault, storedReason(reason));
    this.#unapplied = [];
  }

  /** Storage failed: for now, or permanently for this instance alone. */
  failStorage(error: unknown): void {
    this.fail(faultOf(error), messageOf(error));
  }

  /**
   * Storage refused a commit of the next events permanently. A commit of fewer events may be written; where there is
   * only one event, it fails.
   */
  commitRefused(error: unknown, events: number): void {
    if (!this.#isConsistent) this.requireConsistentRead();
    else if (events > 1) this.#commitLimit = Math.ceil(events / 2);
    else this.failStorage(error);
  }

  /**
   * Defers resent events until the event that they repeat is applied: behind the parked events where that event is
   * parked, otherwise by a later delivery. A record that holds both events then brings both again.
   */
  deferResent(events: readonly PositionedEvent[]): void {
    if (this.#waitsBehindParked)
      for (const event of events) this.#outcomes.set(event, { outcome: 'behind' });
    else this.#setFailed(events, 'service', 'the event that it repeats is not applied yet');
  }

  /** All events have to be delivered again, applied ones too: the tails of their commits are not done. */
  retryAllLater(reason: string, fault: FaultKind = 'service'): void {
    this.fail(fault, reason);
    this.#setFailed([...this.#outcomes.keys()], fault, reason);
  }

  /** The tails are done, and the status row is written. */
  markComplete(): void {
    this.#isComplete = true;
  }

  #setFailed(events: readonly PositionedEvent[], fault: FaultKind, reason: string): void {
    for (const event of events) this.#outcomes.set(event, { outcome: 'failed', fault, reason });
  }
}

/** Tells whether an error of storage concerns the instance alone or the service. */
export const faultOf = (error: unknown): FaultKind => (isPermanent(error) ? 'instance' : 'service');

function outcomeOf(result: FoldResult): EventOutcome {
  // The event of a timer that no longer runs is handled like one that fired before.
  if (result === 'stale-timer') return { outcome: 'duplicate' };
  return result.outcome === 'applied'
    ? { outcome: 'applied' }
    : { outcome: 'rejected', reason: result.reason ?? '' };
}

/** Groups the events of a call by instance, in the order of their first events. */
export function workByInstance(events: readonly PositionedEvent[]): InstanceWork[] {
  const groups = Map.groupBy(events, ({ event }) => event.transaction);
  return [...groups.values()].map((group) => {
    const { model, transaction } = group[0]!.event;
    return new InstanceWork({ model, transaction }, group);
  });
}
