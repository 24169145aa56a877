import { messageOf } from '../common/message-of.ts';
import { isClockEvent } from '../core/effects/timer.ts';
import { isPermanent } from '../core/errors.ts';
import type { InstanceKey } from '../core/event/event.ts';
import { type Commit, type CommitTail, type Head, tailOf } from '../core/history/commit.ts';
import { changesStatusRow } from '../core/status/status-row.ts';
import { type StepTime, stepTimes } from '../core/status/step-times.ts';
import type { PartitionedEvents } from './duplicates.ts';
import type { FoldResult } from './fold-batch.ts';
import type { EventOutcome, FaultKind, PositionedEvent } from './protocol.ts';
import type { InstanceBatch } from './remote/instance-batch.ts';

/** The statistics of a new commit: its number of events and the steps that it completes. */
export interface Observation extends Pick<Commit, 'at'> {
  readonly events: number;
  readonly steps: readonly StepTime[];
}

/**
 * One instance's events in one invocation, in order, and the progress of applying them. Callers read, fold, and commit
 * until every event has an outcome, and then complete the tails of the commits.
 */
export class InstanceWork {
  readonly key: InstanceKey;
  readonly #outcomes = new Map<PositionedEvent, EventOutcome>();
  #unapplied: readonly PositionedEvent[];
  /** The instance after the latest commit that was read or written; undefined if there is none. */
  #head: Head | undefined;
  #requiredRead: 'optimistic' | 'consistent' | undefined = 'optimistic';
  #isConsistent = false;
  #mayHaveParked = false;
  /** The maximum number of events for the next commit. Decreases if storage rejects a commit. */
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

  get outcomes(): ReadonlyMap<PositionedEvent, EventOutcome> {
    return this.#outcomes;
  }

  /** The events that have no outcome yet. */
  get unapplied(): readonly PositionedEvent[] {
    return this.#unapplied;
  }

  /** The latest known commit without its entries; undefined if there is no commit or if it must be read first. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** The kind of read that the unapplied events need before they can be folded; undefined if they need none. */
  get requiredRead(): 'optimistic' | 'consistent' | undefined {
    return this.#unapplied.length > 0 ? this.#requiredRead : undefined;
  }

  /**
   * True if `head` is known to be the latest commit. After an optimistic read, a result is valid only if its commit
   * succeeds: a commit that is based on a stale head results in a conflict.
   */
  get isConsistent(): boolean {
    return this.#isConsistent;
  }

  /** True if the instance has parked events or a queue change that is announced but not finished. */
  get mayHaveParked(): boolean {
    return this.#mayHaveParked;
  }

  /** The unapplied events for the next commit, with the head that they are folded onto. */
  get nextBatch(): InstanceBatch {
    return { head: this.#head, events: this.#unapplied.slice(0, this.#commitLimit) };
  }

  /** The commits whose effects and notifications must be sent. */
  get tails(): ReadonlySet<CommitTail> {
    return this.#tails;
  }

  /** The statistics of this invocation's commits. */
  get observations(): readonly Observation[] {
    return this.#observations;
  }

  /** Duplicates that a producer sent again. */
  get resent(): ReadonlySet<PositionedEvent> {
    return this.#resent;
  }

  /** True if the status row may be stale and must be written. */
  get isRowStale(): boolean {
    return this.#isRowStale;
  }

  /** True if all events are processed, their effects are sent, and the status row is written. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Records whether the instance may have parked events, according to an optimistic read. */
  noteParked(mayHaveParked: boolean): void {
    this.#mayHaveParked = mayHaveParked;
  }

  /** Replaces `head` after its recent fingerprints are flushed. The next commit is based on the new head. */
  replaceHead(head: Head): void {
    this.#head = head;
  }

  /** Discards `head` and requires a consistent read because an optimistic read is not sufficient or `head` is stale. */
  requireConsistentRead(): void {
    this.#head = undefined;
    this.#requiredRead = 'consistent';
  }

  /**
   * Continues from a commit that was read, and records the duplicates that were found.
   *
   * @param mayHaveParked true if a duplicate may be among the parked events.
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
    // A crash may have left the status row stale, and the clock finds due timers by status rows.
    const isTimerResent = resent.some(({ event }) => isClockEvent(event));
    if (redelivered.size > 0 || isTimerResent) this.#isRowStale = true;
    this.#unapplied = unapplied;
  }

  /** Records the results of the first unapplied events, and the commit that contains the results, if any. */
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

  /** Gives the unapplied events the outcome `behind` because they must wait behind parked events. */
  waitBehindParked(): void {
    if (this.#unapplied.length > 0) this.#waitsBehindParked = true;
    for (const event of this.#unapplied) this.#outcomes.set(event, { outcome: 'behind' });
    this.#unapplied = [];
  }

  /** Fails all unapplied events: the first event cannot be applied now, and the other events must wait behind it. */
  fail(fault: FaultKind, reason: string): void {
    this.#setFailed(this.#unapplied, fault, reason);
    this.#unapplied = [];
  }

  /** Fails all unapplied events because of a storage error. */
  failStorage(error: unknown): void {
    this.fail(faultOf(error), messageOf(error));
  }

  /**
   * Records that storage permanently rejected a commit. If the commit is based on an optimistic read, the instance is
   * read again. Otherwise, the next commit contains fewer events or, if this commit contained only one event, all
   * unapplied events fail.
   */
  commitRefused(error: unknown, events: number): void {
    if (!this.#isConsistent) this.requireConsistentRead();
    else if (events > 1) this.#commitLimit = Math.ceil(events / 2);
    else this.failStorage(error);
  }

  /**
   * Defers resent events until the original event is applied. If the original is parked, the resent events wait
   * behind it; otherwise, they wait for a redelivery. If an event and its original are in one aggregated record, they
   * are redelivered together.
   */
  deferResent(events: readonly PositionedEvent[]): void {
    if (this.#waitsBehindParked)
      for (const event of events) this.#outcomes.set(event, { outcome: 'behind' });
    else
      this.#setFailed(
        events,
        'service',
        'the event is a duplicate, and the original is not applied yet',
      );
  }

  /**
   * Fails all events, even applied events, because the tails of their commits are incomplete. With the default fault,
   * the stream redelivers the events.
   */
  retryAllLater(reason: string, fault: FaultKind = 'service'): void {
    this.fail(fault, reason);
    this.#setFailed([...this.#outcomes.keys()], fault, reason);
  }

  /** Records that the tails are complete and the status row is written. */
  markComplete(): void {
    this.#isComplete = true;
  }

  #setFailed(events: readonly PositionedEvent[], fault: FaultKind, reason: string): void {
    for (const event of events) this.#outcomes.set(event, { outcome: 'failed', fault, reason });
  }
}

/** Classifies a storage error: `instance` if a retry cannot succeed, otherwise `service`. */
export const faultOf = (error: unknown): FaultKind => (isPermanent(error) ? 'instance' : 'service');

function outcomeOf(result: FoldResult): EventOutcome {
  // An event from a timer that is no longer running counts as a duplicate.
  if (result === 'stale-timer') return { outcome: 'duplicate' };
  return result.outcome === 'applied'
    ? { outcome: 'applied' }
    : { outcome: 'rejected', reason: result.reason ?? '' };
}

/** Groups an invocation's events by instance. The instances are in the order of their first events. */
export function workByInstance(events: readonly PositionedEvent[]): InstanceWork[] {
  const groups = Map.groupBy(events, ({ event }) => event.transaction);
  return [...groups.values()].map((group) => {
    const { model, transaction } = group[0]!.event;
    return new InstanceWork({ model, transaction }, group);
  });
}
