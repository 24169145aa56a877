import fc from 'fast-check';
import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { session } from '../../models/session/model.ts';

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();
const started = (data?: object, minutes = 0) =>
  ({
    type: 'session.started',
    data: { token: 'K3T9QA', ...(data ? { data } : {}) },
    time: at(minutes),
  }) as TestEvent;
const updated = (set: object, minutes: number) =>
  ({ type: 'session.updated', data: { set }, time: at(minutes) }) as TestEvent;
const ended = (minutes: number): TestEvent => ({ type: 'session.ended', time: at(minutes) });
const idle = fired('idle');

describe('a session', () => {
  it('opens for 30 minutes, with its token and data', () => {
    given(session)
      .when(started({ cart: ['book'] }))
      .then(({ state, status, description, timers }) => {
        expect(state).toEqual({
          status: 'Open',
          token: 'K3T9QA',
          data: { cart: ['book'] },
          expires_at: at(30),
        });
        expect(status).toBe('Open');
        expect(description.done).toBe(false);
        expect(timers).toEqual([{ name: 'idle', dueAt: at(30) }]);
      });
    given(session)
      .when(started())
      .then(({ state }) => expect(state.data).toEqual({}));
  });

  it('opens even if an earlier event was rejected', () => {
    given(session)
      .when(updated({ a: 1 }, 0), ended(0), started(undefined, 1))
      .then(({ statuses, state }) => {
        expect(statuses).toEqual(['Ended', 'Ended', 'Open']);
        expect(state.data).toEqual({});
      });
    given(session)
      .when(updated({ a: 1 }, 0))
      .then(({ outcome, reason, description }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('the session has not started yet');
        expect(description.done).toBe(false);
      });
  });

  it('opens only once', () => {
    given(session, started({ a: 1 }))
      .when({ ...started({ b: 2 }, 1), data: { token: 'OTHER' } })
      .then(({ outcome, reason, state, timers }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('the session has already started');
        expect(state).toMatchObject({ token: 'K3T9QA', data: { a: 1 } });
        expect(timers).toEqual([{ name: 'idle', dueAt: at(30) }]);
      });
  });

  it.each([
    [{}],
    [{ token: '' }],
    [{ token: 5 }],
    [{ token: 'A', data: [] }],
    [{ token: 'A', data: null }],
  ])('does not open with %j', (data) => {
    given(session)
      .when({ type: 'session.started', data })
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('data: ');
      });
  });

  it('replaces each member that an update sets and keeps all other members', () => {
    given(session, started({ cart: { book: 1 }, name: 'Amy', city: 'Rome' }))
      .when(updated({ cart: { pen: 2 }, constructor: 'x', name: null }, 1))
      .then(({ state }) =>
        expect(state.data).toEqual({
          cart: { pen: 2 },
          constructor: 'x',
          name: null,
          city: 'Rome',
        }),
      );
  });

  it.each([[{}], [{ set: [] }], [{ set: 'a' }], [{ set: null }]])(
    'rejects the update %j',
    (data) => {
      given(session, started({ a: 1 }))
        .when({ type: 'session.updated', data, time: at(1) })
        .then(({ outcome, state, timers }) => {
          expect(outcome).toBe('rejected');
          expect(state.data).toEqual({ a: 1 });
          expect(timers).toEqual([{ name: 'idle', dueAt: at(30) }]);
        });
    },
  );

  it('is extended to 30 minutes after each event but never shortened by a late event', () => {
    given(session, started())
      .when(updated({ a: 1 }, 20), updated({ b: 2 }, 10))
      .then(({ state, timers }) => {
        expect(state).toMatchObject({ data: { a: 1, b: 2 }, expires_at: at(50) });
        expect(timers).toEqual([{ name: 'idle', dueAt: at(50) }]);
      });
  });

  it('expires if no event arrives', () => {
    given(session, started({ a: 1 }), updated({ b: 2 }, 20))
      .when(idle)
      .then(({ status, description, state, timers }) => {
        expect(status).toBe('Expired');
        expect(description.done).toBe(true);
        expect(state).toMatchObject({ token: 'K3T9QA', data: { a: 1, b: 2 } });
        expect(timers).toEqual([]);
      });
  });

  it('rejects events after its expiration time even if the timer has not fired', () => {
    given(session, started())
      .when(updated({ a: 1 }, 29.99))
      .then(({ outcome }) => expect(outcome).toBe('applied'));
    for (const late of [updated({ a: 1 }, 30), ended(31)])
      given(session, started())
        .when(late)
        .then(({ outcome, reason, timers }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toBe(`the session expired at ${at(30)}`);
          expect(timers).toEqual([{ name: 'idle', dueAt: at(30) }]);
        });
  });

  it('is not prolonged by a producer whose clock is ahead', () => {
    given(session, { ...started(undefined, 120), recordedAt: at(0) })
      .when({ ...updated({ a: 1 }, 130), recordedAt: at(10) })
      .then(({ outcome, state, timers }) => {
        expect(outcome).toBe('applied');
        expect(state).toMatchObject({ data: { a: 1 }, expires_at: at(40) });
        expect(timers).toEqual([{ name: 'idle', dueAt: at(40) }]);
      });
    given(session, { ...started(undefined, 120), recordedAt: at(0) })
      .when({ ...updated({ a: 1 }, 121), recordedAt: at(30) })
      .then(({ reason }) => expect(reason).toBe(`the session expired at ${at(30)}`));
  });

  it('ends on session.ended', () => {
    given(session, started())
      .when(ended(1))
      .then(({ status, description, timers }) => {
        expect(status).toBe('Ended');
        expect(description.done).toBe(true);
        expect(timers).toEqual([]);
      });
  });

  it.each([
    ['Ended', ended(1)],
    ['Expired', idle],
  ])('that is %s rejects all events', (status, end) => {
    for (const event of [started(undefined, 2), updated({ a: 1 }, 2), ended(2)])
      given(session, started(), end)
        .when(event)
        .then((result) => {
          expect(result.outcome).toBe('rejected');
          expect(result.status).toBe(status);
          expect(result.timers).toEqual([]);
        });
  });

  it('never reopens, regardless of later events', () => {
    const minutes = fc.integer({ min: 0, max: 90 });
    const update = minutes.map((m) => updated({ at: m }, m));
    const any = fc.oneof(
      update,
      minutes.map((m) => started({ from: m }, m)),
      minutes.map(ended),
    );
    const story = fc.tuple(fc.array(update), fc.constantFrom(ended(0), idle), fc.array(any));
    fc.assert(
      fc.property(story, ([updates, end, later]) => {
        given(session, started())
          .when(started(), ...updates, end, ...later)
          .then(({ statuses }) => {
            const after = statuses.slice(updates.length + 1);
            expect(after).toEqual(after.map(() => (end === idle ? 'Expired' : 'Ended')));
          });
      }),
    );
  });
});
