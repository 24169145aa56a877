import type { Commit, PositionedStep } from '../core/commit.ts';
import type { InstanceKey } from '../core/event.ts';
import type { EventOutcome, PositionedEvent } from './protocol.ts';

/** One instance's events of one call, in order, and how far they got. */
export class InstanceWork {
  readonly key: InstanceKey;
  readonly outcomes = new Map<PositionedEvent, EventOutcome>();
  /** The newest commit known; `undefined` before the first, `'unknown'` until it is read. */
  newest: Commit | undefined | 'unknown' = 'unknown';
  /** Events that are still to be applied. */
  open: readonly PositionedEvent[];

  constructor(key: InstanceKey, events: readonly PositionedEvent[]) {
    this.key = key;
    this.open = events;
  }

  /** These are all that is left; the other open events are duplicates. */
  keepOnly(remaining: readonly PositionedEvent[], hasParked: boolean): void {
    const kept = new Set(remaining);
    const outcome = { outcome: 'duplicate', ...(hasParked ? { parked: true } : {}) } as const;
    for (const event of this.open) if (!kept.has(event)) this.outcomes.set(event, outcome);
    this.open = remaining;
  }

  /** The first open events were folded into this commit, which is written. */
  committed(commit: Commit, steps: readonly PositionedStep[]): void {
    for (const [index, step] of steps.entries())
      this.outcomes.set(
        this.open[index]!,
        step.outcome === 'applied'
          ? { outcome: 'applied' }
          : { outcome: 'rejected', reason: step.reason ?? '' },
      );
    this.newest = commit;
    this.open = this.open.slice(steps.length);
  }

  /** What is still open has to wait behind parked events. */
  behind(): void {
    for (const event of this.open) this.outcomes.set(event, { outcome: 'behind' });
    this.open = [];
  }

  /** What is still open cannot be done now; it waits, in order, behind what failed. */
  failed(fault: 'model' | 'service', reason: string): void {
    for (const event of this.open) this.outcomes.set(event, { outcome: 'failed', fault, reason });
    this.open = [];
  }
}

/** The work of a call, one for each instance, in the order of their first events. */
export function workByInstance(events: readonly PositionedEvent[]): InstanceWork[] {
  const groups = Map.groupBy(events, ({ event }) => event.transaction);
  return [...groups.values()].map((group) => {
    const { model, transaction } = group[0]!.event;
    return new InstanceWork({ model, transaction }, group);
  });
}
