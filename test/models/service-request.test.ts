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

  it('reaches the same state regardless of the order of its events', () => {
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
        expect(reason).toContain('verified has already been reached');
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

  it('ends when it is canceled, and cannot be canceled after it is closed', () => {
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

  it('never expects a milestone after the year 9999', () => {
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
        const after = (count: number) => views(description, hours(count));
        expect(after(4)).toEqual(['reached', 'reached', 'current', 'pending', 'pending']);
        expect(after(126)).toEqual(['reached', 'reached', 'at-risk', 'pending', 'pending']);
        expect(after(128)).toEqual(['reached', 'reached', 'late', 'pending', 'pending']);
        expect(after(500)).toEqual(['reached', 'reached', 'late', 'late', 'late']);
      });
  });

  it('expects verification a day after it was received, regardless of the order of the reports', () => {
    given(serviceRequest, reached('scheduled'))
      .when(reached('received', hours(5)))
      .then(({ description }) =>
        expect(description.milestones![1]).toEqual({ id: 'verified', expectedBy: hours(29) }),
      );
  });

  it('reports a milestone as late from its deadline until it is reached', () => {
    given(serviceRequest, reached('received'))
      .when(fired('late/verified'))
      .then(({ outcome, status, state, description }) => {
        expect(outcome).toBe('applied');
        expect(status).toBe('Received');
        expect(state.late).toEqual({ verified: hours(24) });
        expect(description.milestones?.[1]).toEqual({
          id: 'verified',
          expectedBy: hours(24),
          late: true,
        });
      });
    given(serviceRequest, reached('received'), fired('late/verified'))
      .when(reached('verified', hours(30)))
      .then(({ state }) => expect(state.late).toBeUndefined());
  });

  it('has no timers after it is closed or canceled', () => {
    for (const end of [reached('closed'), cancelled])
      given(serviceRequest, reached('received'))
        .when(end)
        .then(({ timers }) => expect(timers).toEqual([]));
  });

  it.each([[{}], [{ reason: '' }], [{ reason: 5 }], [null]])(
    'rejects a cancellation with the data %j, which contains no valid reason',
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

/* The service hours are in Berlin, which is an hour ahead of UTC in winter. January 5, 2026, is a Monday. */
describe('the deadlines of a service request', () => {
  const monday = '2026-01-05T09:00:00.000Z';
  const received = (data = {}): TestEvent => ({
    type: 'milestone.reached',
    data: { milestone: 'received', ...data },
    time: monday,
  });
  const event = (type: string, time: string, data = {}): TestEvent => ({
    type,
    data,
    time: `2026-01-${time}:00.000Z`,
  });
  const deadlines = (first: TestEvent, ...more: TestEvent[]) => {
    let found: Record<string, unknown> = {};
    given(serviceRequest)
      .when(first, ...more)
      .then(({ outcome, description }) => {
        expect(outcome).toBe('applied');
        found = Object.fromEntries(
          description.milestones!.map(({ id, expectedBy, paused }) => [
            id,
            paused ? 'paused' : expectedBy?.slice('2026-01-'.length, -8),
          ]),
        );
      });
    return found;
  };

  it('are counted in service hours and working days', () => {
    expect(deadlines(received())).toEqual({
      received: '05T10:00',
      verified: '06T09:00',
      scheduled: '07T09:00',
      fulfilled: '12T09:00',
      closed: '14T09:00',
    });
  });

  it('skip holidays, and fall at closing time for a request that arrives after hours', () => {
    const before = { ...received(), time: '2025-12-30T17:30:00.000Z' };
    // The request arrives on Tuesday after closing time, so day 0 is Wednesday. Thursday is a holiday, January 1, so the
    // next two working days are Friday and Monday.
    expect(deadlines(before)).toMatchObject({ scheduled: '05T16:00' });
  });

  it('are shorter for gold customers', () => {
    expect(deadlines(received({ tier: 'gold' }))).toMatchObject({ scheduled: '06T08:00' });
    expect(deadlines(received({ tier: 'silver' }))).toMatchObject({ scheduled: '07T09:00' });
  });

  it('are paused until the customer sends documents', () => {
    const requested = event('documents.requested', '05T10:00');
    expect(deadlines(received(), requested)).toEqual({
      received: '05T10:00',
      verified: '06T09:00',
      scheduled: 'paused',
      fulfilled: 'paused',
      closed: '14T09:00',
    });
    const answered = event('documents.received', '06T10:00');
    // The pause contains nine service hours.
    expect(deadlines(received(), requested, answered)).toMatchObject({ scheduled: '08T09:00' });
  });

  it('are replaced by the date that the customer was promised, until the promise is withdrawn', () => {
    const promised = { promisedAt: '2026-01-20T12:00:00+01:00' };
    expect(deadlines(received(promised))).toMatchObject({ fulfilled: '20T11:00' });
    const withdrawn = event('documents.received', '05T11:00', { promisedAt: null });
    expect(deadlines(received(promised), withdrawn)).toMatchObject({ fulfilled: '12T09:00' });
  });

  it('can be extended by a duration or to a new time', () => {
    const more = event('deadline.extended', '06T09:00', { milestone: 'scheduled', by: 'P1D' });
    expect(deadlines(received(), more)).toMatchObject({ scheduled: '08T09:00' });
    const until = { milestone: 'verified', until: '2026-01-09T12:00:00Z' };
    expect(deadlines(received(), event('deadline.extended', '06T09:00', until))).toMatchObject({
      verified: '09T12:00',
    });
  });

  it('start timers for the warning and for the deadline, with a grace period of an hour for billing', () => {
    given(serviceRequest)
      .when(received())
      .then(({ timers }) => {
        expect(timers.map(({ name, dueAt }) => [name, dueAt.slice(8, 16)])).toEqual([
          ['late/verified', '06T09:00'],
          ['risk/scheduled', '06T13:30'],
          ['late/scheduled', '07T09:00'],
          ['risk/fulfilled', '08T15:45'],
          ['late/fulfilled', '12T09:00'],
          ['late/closed', '14T10:00'],
        ]);
      });
  });
});
