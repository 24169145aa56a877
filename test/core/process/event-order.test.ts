import fc from 'fast-check';
import { fired, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { milestoneViews } from '../../../src/core/status/milestones.ts';
import { after, at, claim, type Outcome } from './claim-process.ts';

describe('the order of events', () => {
  const quarter = fc.integer({ min: 0, max: 150 }).map((count) => {
    const moment = new Date(Date.parse(at('05T08:00')) + count * 900_000);
    return moment.toISOString();
  });
  const data = fc.record(
    {
      tier: fc.constantFrom('gold', 'silver'),
      promisedAt: fc.oneof(quarter, fc.constant(null)),
    },
    { requiredKeys: [] },
  );
  const event = fc.oneof(
    fc.record({
      type: fc.constantFrom(
        'claim.received',
        'answer.sent',
        'documents.requested',
        'documents.received',
      ),
      time: quarter,
      data,
    }),
    fc.record({
      type: fc.constant('deadline.extended'),
      time: quarter,
      data: fc.oneof(
        fc.constant({ milestone: 'answered', by: 'PT2H' }),
        quarter.map((until) => ({ milestone: 'answered', until })),
      ),
    }),
  );
  const now = Date.parse(at('06T12:00'));

  it('does not affect the lateness of milestones with kept data and promised times', () => {
    const reaching = fc.record({
      type: fc.constantFrom('claim.received', 'answer.sent', 'claim.paid'),
      time: quarter,
      data,
    });
    fc.assert(
      fc.property(fc.array(reaching, { minLength: 2, maxLength: 4 }), (all) => {
        const events = all.map((each, index): TestEvent => ({ ...each, id: `e${index}` }));
        const seen = permutations(events).map(([first, ...more]) =>
          milestoneViews(claim.milestones, after(first!, ...more).description, now),
        );
        for (const each of seen) expect(each).toEqual(seen[0]);
      }),
    );
  });

  const permutations = (events: readonly TestEvent[]): TestEvent[][] =>
    events.length === 0
      ? [[]]
      : events.flatMap((first, index) =>
          permutations(events.toSpliced(index, 1)).map((rest) => [first, ...rest]),
        );

  /** Delivers events one by one. May fire due timers after each event; fires all due timers after the last event. */
  function deliver(events: readonly TestEvent[], fires: readonly boolean[]) {
    const past: TestEvent[] = [];
    let result: Outcome | undefined;
    const add = (next: TestEvent) => {
      past.push(next);
      result = after(past[0]!, ...past.slice(1));
    };
    const due = () => result!.timers.find(({ dueAt }) => Date.parse(dueAt) < now);
    for (const [index, each] of events.entries()) {
      add(each);
      const isLast = index === events.length - 1;
      for (let timer = due(); timer && (isLast || fires[index]); timer = due())
        add(fired(timer.name));
    }
    return result!;
  }

  it('does not affect milestones, timers, or lateness, even if due timers fire between the events', () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 7 }),
        fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        fc.infiniteStream(fc.nat()),
        (all, fires, random) => {
          const events = all.map((each, index): TestEvent => ({ ...each, id: `e${index}` }));
          const shuffled = events
            .map((each) => ({ each, place: random.next().value }))
            .toSorted((a, b) => a.place - b.place)
            .map(({ each }) => each);
          const seen = [events, shuffled].map((order) => {
            const { description, timers } = deliver(order, fires);
            return {
              milestones: milestoneViews(claim.milestones, description, now),
              late: description.milestones!.map(({ late }) => late),
              // Timers that are due at the same time are sorted by when they were started.
              timers: Object.fromEntries(timers.map(({ name, dueAt }) => [name, dueAt])),
            };
          });
          expect(seen[1]).toEqual(seen[0]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
