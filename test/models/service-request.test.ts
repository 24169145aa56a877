import fc from 'fast-check';
import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { serviceRequest } from '../../models/service-request/model.ts';
import { milestoneViews, progressOf } from '../../src/core/status/milestones.ts';

const steps = ['received', 'verified', 'scheduled', 'fulfilled', 'closed'];
const start = '2026-01-01T00:00:00.000Z';
const hours = (count: number) => new Date(Date.parse(start) + count * 3_600_000).toISOString();
const reached = (milestone: string, time = start): TestEvent => ({
  type: 'milestone.reached',
  data: { milestone },
  time,
});
const cancelled: TestEvent = {
  type: 'request.cancelled',
  data: { reason: 'moved away' },
  time: hours(2),
};
const views = (description: Parameters<typeof progressOf>[1], at: string) =>
  milestoneViews(serviceRequest.milestones, description, Date.parse(at)).map((m) => m.state);

describe('a service request', () => {
  it("has its furthest milestone's label as its status", () => {
    given(serviceRequest)
      .when(reached('received'), reached('scheduled'), reached('verified'))
      .then(({ statuses, state }) => {
        expect(statuses).toEqual(['Received', 'Scheduled', 'Scheduled']);
        expect(Object.keys(state.reached)).toEqual(['received', 'scheduled', 'verified']);
      });
  });

  it('reaches the same state in any order', () => {
    const some = fc.shuffledSubarray(steps, { minLength: 1 });
    fc.assert(
      fc.property(some, (order) => {
        const events = order.map((step, i) => ({ ...reached(step), id: `${step}-${i}` }));
        const furthest = steps.findLast((step) => order.includes(step))!;
        given(serviceRequest)
          .when(...(events as [TestEvent, ...TestEvent[]]))
          .then(({ status, description, state }) => {
            expect(status.toLowerCase()).toBe(furthest);
            expect(Object.keys(state.reached).toSorted()).toEqual(order.toSorted());
            expect(progressOf(serviceRequest.milestones, description)).toBe(order.length / 5);
            expect(description.done).toBe(order.includes('closed'));
          });
      }),
    );
  });

  it('accepts a milestone only once', () => {
    given(serviceRequest, reached('verified'))
      .when(reached('verified'))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('verified is already reached');
      });
  });

  it.each([[{}], [{ milestone: 'shipped' }], [{ milestone: 7 }], [null]])(
    'rejects the data %j',
    (data) => {
      given(serviceRequest)
        .when({ type: 'milestone.reached', data })
        .then(({ outcome, status }) => {
          expect(outcome).toBe('rejected');
          expect(status).toBe('Open');
        });
    },
  );

  it('ends when it is canceled', () => {
    given(serviceRequest, reached('received'))
      .when(cancelled)
      .then(({ status, description, state }) => {
        expect(status).toBe('Cancelled');
        expect(description.done).toBe(true);
        expect(state.cancelled).toEqual({ at: hours(2), reason: 'moved away' });
        expect(progressOf(serviceRequest.milestones, description)).toBe(0.2);
        expect(views(description, hours(1000))).toEqual([
          'reached',
          'skipped',
          'skipped',
          'skipped',
          'skipped',
        ]);
      });
    given(serviceRequest, cancelled)
      .when(reached('verified'))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('canceled');
      });
    given(serviceRequest, reached('closed'))
      .when(cancelled)
      .then(({ outcome }) => expect(outcome).toBe('rejected'));
  });

  it('never expects a milestone after the last time that can be represented', () => {
    given(serviceRequest)
      .when(reached('received', '9999-12-31T23:59:59.999999999Z'))
      .then(({ outcome, description }) => {
        expect(outcome).toBe('applied');
        expect(description.milestones?.at(-1)?.expectedBy).toBe('9999-12-31T23:59:59.999Z');
      });
  });

  it('shows its current milestone and its late milestones', () => {
    given(serviceRequest, reached('received'))
      .when(reached('verified', hours(3)))
      .then(({ description }) => {
        expect(views(description, hours(4))).toEqual([
          'reached',
          'reached',
          'current',
          'pending',
          'pending',
        ]);
        expect(views(description, hours(49))).toEqual([
          'reached',
          'reached',
          'late',
          'pending',
          'pending',
        ]);
        expect(views(description, hours(500))).toEqual([
          'reached',
          'reached',
          'late',
          'late',
          'late',
        ]);
        expect(description.milestones?.[2]).toEqual({ id: 'scheduled', expectedBy: hours(48) });
      });
  });

  it('is late if a milestone is not reached in time, and shows when it became late', () => {
    given(serviceRequest, reached('received'))
      .when(fired('late/verified'))
      .then(({ outcome, status, state, description, timers }) => {
        expect(outcome).toBe('applied');
        expect(status).toBe('Received');
        expect(state.late).toEqual({ verified: hours(24) });
        expect(description.milestones?.[1]).toEqual({
          id: 'verified',
          expectedBy: hours(24),
          late: true,
        });
        expect(timers).toEqual([
          { name: 'late/scheduled', dueAt: hours(48) },
          { name: 'late/fulfilled', dueAt: hours(120) },
          { name: 'late/closed', dueAt: hours(168) },
        ]);
      });
    given(serviceRequest, reached('received'), fired('late/verified'))
      .when(reached('verified', hours(30)))
      .then(({ state }) => expect(state.late).toBeUndefined());
  });

  it('expects no milestones after it is closed or canceled', () => {
    for (const end of [reached('closed'), cancelled])
      given(serviceRequest, reached('received'))
        .when(end)
        .then(({ timers }) => expect(timers).toEqual([]));
  });

  it.each([[{}], [{ reason: '' }], [{ reason: 5 }], [null]])(
    'is not canceled without a reason: %j',
    (data) => {
      given(serviceRequest, reached('received'))
        .when({ type: 'request.cancelled', data })
        .then(({ outcome, reason, status }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toContain('data');
          expect(status).toBe('Received');
        });
    },
  );
});
