import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Timer } from '../../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import { foldEvent } from '../../../src/core/history/fold.ts';
import { loadSnapshot } from '../../../src/core/history/migrate.ts';
import type { Snapshot } from '../../../src/core/history/snapshot.ts';
import type { Description } from '../../../src/core/model/description.ts';
import { defineProcess } from '../../../src/core/process/define-process.ts';

/** Histories stored by a version of Milepost in which `expectedWithin` was the only deadline. */
const histories = JSON.parse(
  readFileSync(new URL('stored-histories.json', import.meta.url), 'utf8'),
) as readonly (readonly StoredStep[])[];

interface StoredStep {
  readonly event: TrackedEvent;
  readonly outcome: string;
  readonly state: unknown;
  readonly description: Description;
  readonly timers: readonly Timer[];
}

const names = ['an order with late milestones', 'a delivered order', 'a canceled order'];
const cases = histories.map((history, index) => ({ name: names[index], history }));

const milestones = [
  { id: 'paid', label: 'Paid', on: 'payment.received', expectedWithin: 'PT2H' },
  { id: 'wrapped', label: 'Gift-wrapped', optional: true, expectedWithin: 'PT3H' },
  { id: 'shipped', label: 'Shipped', on: 'parcel.handed-over', expectedWithin: 'P1D' },
  { id: 'delivered', label: 'Delivered', expectedWithin: 'P2D' },
];
const order = defineProcess({ id: 'order', milestones, cancelOn: 'order.cancelled' });

const storedFrom = ({ outcome, after }: { outcome: string; after: Snapshot }) => ({
  outcome,
  state: JSON.parse(after.json) as unknown,
  description: after.description,
  timers: after.timers,
});
const withoutEvent = ({ event: _event, ...stored }: StoredStep) => stored;

describe('instances stored by an earlier version of Milepost', () => {
  it.each(cases)('equal the result of folding their history: $name', ({ history }) => {
    let before: Snapshot | undefined;
    for (const step of history) {
      const folded = foldEvent(order, before, step.event);
      expect(storedFrom(folded)).toEqual(withoutEvent(step));
      before = folded.after;
    }
  });

  it.each(cases)('continue from every state of their history: $name', ({ history }) => {
    for (const [index, { event, ...step }] of history.entries()) {
      const left = history[index - 1];
      const before =
        left &&
        loadSnapshot(order, {
          modelVersion: 1,
          startedAt: left.event.time,
          state: JSON.stringify(left.state),
          description: left.description,
          timers: left.timers,
        });
      expect(storedFrom(foldEvent(order, before, event))).toEqual(step);
    }
  });

  it('keep their late milestones in a model version with different deadlines', () => {
    const stored = histories[2]![2]!;
    const deadline = { within: 'PT1H', warnAt: 0.5 };
    const second = defineProcess({
      id: 'order',
      version: 2,
      milestones: milestones.map(({ expectedWithin: _within, ...rest }) => ({ ...rest, deadline })),
      cancelOn: 'order.cancelled',
    });
    const before = loadSnapshot(second, {
      modelVersion: 1,
      startedAt: stored.event.time,
      state: JSON.stringify(stored.state),
      description: stored.description,
      timers: stored.timers,
    });
    const { event } = histories[2]![0]!;
    const time = '2025-12-31T23:00:00.000Z';
    const { description } = foldEvent(second, before, { ...event, id: 'next', time }).after;
    expect(description.milestones!.map(({ id, at, late }) => [id, at, late])).toEqual([
      ['paid', time, undefined],
      ['wrapped', undefined, true],
      ['shipped', undefined, true],
      ['delivered', undefined, undefined],
    ]);
  });
});
