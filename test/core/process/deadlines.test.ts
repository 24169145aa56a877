import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import { maximumExtensions } from '../../../src/core/process/extensions.ts';
import type { ProcessState } from '../../../src/core/process/state.ts';
import { daytime } from '../../support/daytime-calendar.ts';
import { after, answer, answered, at, extended, received, requested } from './claim-process.ts';

describe('the deadline of a milestone', () => {
  it('counts from another milestone in the open time of a calendar', () => {
    expect(answer(received())).toEqual({
      id: 'answered',
      expectedBy: at('05T17:00'),
      atRiskAt: at('05T15:00'),
    });
  });

  it('does not exist until the milestone that it counts from is reached', () => {
    expect(answer(requested('05T09:00'))).toEqual({ id: 'answered' });
  });

  it('uses the shorter duration of a tier, regardless of the order of events', () => {
    expect(answer(received({ tier: 'gold' })).expectedBy).toBe(at('05T13:00'));
    expect(answer(received({ tier: 'silver' })).expectedBy).toBe(at('05T17:00'));
    const later = { ...requested('08T09:00'), data: { tier: 'gold' } };
    expect(answer(later, received({ tier: 'silver' })).expectedBy).toBe(at('05T13:00'));
    expect(answer(received({ tier: 'silver' }), later).expectedBy).toBe(at('05T13:00'));
  });

  it('uses the calendar that is declared for the kept value, or the default calendar', () => {
    const always = { ...daytime, add: () => at('09T00:00') };
    const process = defineProcess({
      id: 'visit',
      keep: { site: '/data/site' },
      milestones: [
        {
          id: 'here',
          label: 'Here',
          deadline: { within: 'PT8H', calendar: { key: 'site', default: daytime, oslo: always } },
        },
        { id: 'left', label: 'Left' },
      ],
    });
    const left = (site: string) => ({
      type: 'milestone.reached',
      data: { milestone: 'left', site },
      time: at('05T09:00'),
    });
    const expectedAt = (site: string) => {
      const expected: (string | undefined)[] = [];
      given(process)
        .when(left(site))
        .then(({ state, description }) => {
          expected.push(state.kept?.['site'] as string, description.milestones![0]!.expectedBy);
        });
      return expected;
    };
    expect(expectedAt('oslo')).toEqual(['oslo', at('09T00:00')]);
    expect(expectedAt('constructor')).toEqual(['constructor', at('05T17:00')]);
  });

  it('can be a promised time in the data of the latest event', () => {
    const paidBy = (...events: [TestEvent, ...TestEvent[]]) =>
      after(...events).description.milestones![2]!.expectedBy;
    const promised = (promisedAt: string | null, time = '05T09:00') =>
      received({ promisedAt }, time);
    expect(paidBy(promised('2026-01-10T12:00:00+02:00'))).toBe(at('10T10:00'));
    const earlier = { ...requested('04T09:00'), data: { promisedAt: at('07T12:00') } };
    expect(paidBy(promised(at('10T12:00')), earlier)).toBe(at('10T12:00'));
    const withdrawn = { ...requested('06T09:00'), data: { promisedAt: null } };
    expect(paidBy(promised(at('10T12:00')), withdrawn)).toBeUndefined();
  });

  it('is not set by an event whose promised time is invalid', () => {
    const { outcome, reason } = after(received({ promisedAt: 'tomorrow' }));
    expect(outcome).toBe('rejected');
    expect(reason).toBe(
      '/data/promisedAt must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z, or null',
    );
  });

  it('is extended by an event', () => {
    const more = (data: { by?: string; until?: string }) =>
      answer(received(), extended({ milestone: 'answered', ...data })).expectedBy;
    expect(more({ by: 'PT4H' })).toBe(at('06T13:00'));
    expect(more({ until: '2026-01-09T12:00:00Z' })).toBe(at('09T12:00'));
  });

  it.each<[what: string, data: object, reason: string]>([
    ['an unknown milestone', { milestone: 'sent', by: 'PT1H' }, 'milestone'],
    ['a milestone without a deadline', { milestone: 'received', by: 'PT1H' }, 'milestone'],
    ['no time', { milestone: 'answered' }, 'exactly one of by and until is required'],
    [
      'two times',
      { milestone: 'answered', by: 'PT1H', until: at('09T12:00') },
      'exactly one of by and until is required',
    ],
    ['a duration in words', { milestone: 'answered', by: 'an hour' }, 'not an ISO 8601 duration'],
    ['a duration that its calendar cannot add', { milestone: 'answered', by: 'P1W' }, 'use hours'],
    ['a date without a time', { milestone: 'answered', until: '2026-01-09' }, 'RFC 3339'],
  ])('is not extended by an event with %s', (_, data, reason) => {
    const refused = after(received(), extended(data as { milestone: string }));
    expect(refused.outcome).toBe('rejected');
    expect(refused.reason).toContain(reason);
  });

  it('can be extended at most 100 times until an event sets a new date', () => {
    const hours = Array.from({ length: maximumExtensions + 1 }, (_, minute) =>
      extended(
        { milestone: 'answered', by: 'PT1M' },
        `06T10:${String(minute % 60).padStart(2, '0')}`,
      ),
    );
    const full = after(received(), ...hours);
    expect(full.reason).toBe(
      'the deadline of answered already has 100 extensions; set a new deadline with until',
    );
    const date = { milestone: 'answered', until: at('20T12:00') };
    const renewed = after(received(), ...hours, extended(date, '07T10:00'));
    expect(renewed.description.milestones![1]!.expectedBy).toBe(at('20T12:00'));
  });

  it('causes an event to be rejected if the deadline would then start at a time that its calendar does not cover', () => {
    const ending = {
      ...daytime,
      add: (time: string, duration: string) => {
        if (time > '2100') throw new RangeError('the calendar ends in 2100');
        return daytime.add(time, duration);
      },
    };
    const process = defineProcess({
      id: 'visit',
      milestones: [
        { id: 'here', label: 'Here', on: 'here' },
        {
          id: 'left',
          label: 'Left',
          deadline: { within: 'PT1H', after: 'here', calendar: ending },
        },
      ],
    });
    given(process)
      .when({ type: 'here', time: '9999-12-31T23:00:00Z' })
      .then(({ outcome, reason, status }) => {
        expect([outcome, status]).toEqual(['rejected', 'Open']);
        expect(reason).toContain('the calendar ends in 2100');
      });
  });
});

describe('a milestone whose event arrives late', () => {
  it('is not late if it was reached on time', () => {
    const progress = answer(
      received(),
      fired('risk/answered'),
      fired('late/answered'),
      answered('05T16:00'),
    );
    expect(progress).toEqual({ id: 'answered', at: at('05T16:00'), expectedBy: at('05T17:00') });
  });

  it('is reached at the earliest time of its events', () => {
    const times = (...events: [TestEvent, ...TestEvent[]]) => answer(...events).at;
    expect(times(answered('05T18:00'), answered('05T12:00'))).toBe(at('05T12:00'));
    expect(times(answered('05T12:00'), answered('05T18:00'))).toBe(at('05T12:00'));
  });

  it.each([
    ['the earlier event first', 0, 1],
    ['the later event first', 1, 0],
  ])('is late according to the tier in the latest of its events: %s', (_, first, second) => {
    const events = [
      answered('05T14:00', { tier: 'silver' }),
      answered('05T14:30', { tier: 'gold' }),
    ];
    const { outcome, state, description } = after(received(), events[first]!, events[second]!);
    expect(outcome).toBe('applied');
    expect((state as ProcessState).kept).toEqual({ tier: 'gold' });
    expect(description.milestones![1]).toEqual({
      id: 'answered',
      at: at('05T14:00'),
      expectedBy: at('05T13:00'),
    });
  });

  it.each([
    ['no kept data', {}],
    ['the same time and kept data as an earlier event', { tier: 'silver' }],
    ['kept data that a later event replaced', { tier: 'gold' }, '05T13:00'],
  ])('cannot be reached again by an event with %s', (_, data, time = '05T14:00') => {
    const first = answered('05T12:00', { tier: 'silver' });
    const latest = answered('05T14:00', { tier: 'silver' });
    const { outcome, reason, state } = after(received(), first, latest, answered(time, data));
    expect(outcome).toBe('rejected');
    expect(reason).toBe('answered has already been reached');
    expect((state as ProcessState).kept_at).toEqual({ tier: at('05T14:00') });
  });

  it('moves the deadlines that count from the first event', () => {
    const process = defineProcess({
      id: 'order',
      milestones: [
        { id: 'paid', label: 'Paid', on: 'paid' },
        { id: 'sent', label: 'Sent', on: 'sent' },
        { id: 'here', label: 'Here', expectedWithin: 'PT8H' },
      ],
    });
    given(process, { type: 'sent', time: at('05T12:00') })
      .when({ type: 'paid', time: at('05T09:00') })
      .then(({ state, timers }) => {
        expect(state.started_at).toBe(at('05T09:00'));
        expect(timers).toEqual([{ name: 'late/here', dueAt: at('05T17:00') }]);
      });
  });
});

describe('a deadline with a duration and a promised time', () => {
  const process = defineProcess({
    id: 'delivery',
    milestones: [
      {
        id: 'delivered',
        label: 'Delivered',
        on: 'delivered',
        deadline: { within: 'P2D', due: '/data/promisedAt' },
      },
    ],
    cancelOn: 'canceled',
    extendOn: 'extended',
  });
  const noted = (time: string, promisedAt?: string | null): TestEvent => ({
    type: 'extended',
    time: at(time),
    data: { milestone: 'delivered', by: 'PT1H', ...(promisedAt !== undefined && { promisedAt }) },
  });
  const expectedAfter = (...events: [TestEvent, ...TestEvent[]]) => {
    let expectedBy: string | undefined;
    given(process)
      .when(...events)
      .then(({ description }) => {
        expectedBy = description.milestones![0]!.expectedBy;
      });
    return expectedBy;
  };

  it('follows the duration before a time is promised and after the promise is withdrawn', () => {
    expect(expectedAfter(noted('05T09:00'))).toBe(at('07T10:00'));
    expect(expectedAfter(noted('05T09:00'), noted('05T10:00', at('20T12:00')))).toBe(
      at('20T12:00'),
    );
    expect(
      expectedAfter(noted('05T09:00'), noted('05T10:00', at('20T12:00')), noted('05T11:00', null)),
    ).toBe(at('07T12:00'));
  });
});
