import { accept, defineModel, startTimer, timerFired } from 'milepost';
import { fired, given } from 'milepost/testing';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

/** A model whose state is the list of the times of its events. */
const times = defineModel({
  id: 'times',
  title: 'Times',
  statuses: ['Open'],
  events: { happened: v.unknown(), started: v.unknown(), 'timer.fired': timerFired },
  initial: (): string[] => [],
  transition: (event, state) =>
    event.type === 'started'
      ? accept([...state, event.time], startTimer('due', '2026-03-01T09:00:00.000Z'))
      : accept([...state, event.time]),
  describe: () => ({ status: 'Open' }),
});

const happened = { type: 'happened' };

describe('the default time of a test event', () => {
  it('is the beginning of 2026 for the first event', () => {
    given(times)
      .when(happened)
      .then(({ state }) => expect(state).toEqual(['2026-01-01T00:00:00.000Z']));
  });

  it('is one second after the previous event, even if the test sets the time of that event', () => {
    given(times, { ...happened, time: '2026-02-01T12:00:00+02:00' }, happened)
      .when(happened)
      .then(({ state }) =>
        expect(state).toEqual([
          '2026-02-01T10:00:00Z',
          '2026-02-01T10:00:01.000Z',
          '2026-02-01T10:00:02.000Z',
        ]),
      );
  });

  it('is the due time for the event of a timer, and one second later for the event after it', () => {
    given(times, { type: 'started' })
      .when(fired('due'), happened)
      .then(({ state }) =>
        expect(state.slice(1)).toEqual(['2026-03-01T09:00:00.000Z', '2026-03-01T09:00:01.000Z']),
      );
  });

  it('is the beginning of 2026 for the first event after a stored state', () => {
    given(times)
      .state([], { version: 1 })
      .when(happened)
      .then(({ state }) => expect(state).toEqual(['2026-01-01T00:00:00.000Z']));
  });
});

describe('the time of a test event', () => {
  it('is in UTC when the model receives it, as in production', () => {
    given(times)
      .when({ ...happened, time: '2026-02-01T12:00:00.5+02:00' })
      .then(({ state }) => expect(state).toEqual(['2026-02-01T10:00:00.5Z']));
  });

  it('must be an RFC 3339 date and time', () => {
    expect(() => given(times).when({ ...happened, time: 'tomorrow' })).toThrow(
      'given: the time of happened must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "tomorrow"',
    );
  });
});

describe('given', () => {
  it('starts each `when` from the same state, even if the model mutates the state', () => {
    const counter = defineModel({
      id: 'counter',
      title: 'A counter',
      statuses: ['Open'],
      events: { counted: v.unknown() },
      initial: () => ({ count: 0 }),
      transition(_, state) {
        state.count++;
        return { accepted: true, state };
      },
      describe: () => ({ status: 'Open' }),
    });
    const once = given(counter, { type: 'counted' });
    for (let i = 0; i < 2; i++)
      once.when({ type: 'counted' }).then(({ state }) => expect(state).toEqual({ count: 2 }));
  });
});
