import fc from 'fast-check';
import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import type { MilestoneProgress } from '../../../src/core/model/description.ts';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import { maximumExtensions } from '../../../src/core/process/extensions.ts';
import { maximumPauseEvents } from '../../../src/core/process/pause-events.ts';
import type { ProcessState } from '../../../src/core/process/state.ts';
import { milestoneViews } from '../../../src/core/status/milestones.ts';
import { daytime } from '../../support/daytime-calendar.ts';

/** A time in January 2026, such as `05T09:00`. */
const at = (time: string) => `2026-01-${time}:00.000Z`;

const claim = defineProcess({
  id: 'claim',
  keep: { tier: '/data/tier', site: '/data/site' },
  milestones: [
    { id: 'received', label: 'Received', on: 'claim.received' },
    {
      id: 'answered',
      label: 'Answered',
      on: 'answer.sent',
      deadline: {
        within: 'PT8H',
        after: 'received',
        calendar: { key: 'site', default: daytime },
        warnAt: 0.75,
        pausedWhile: { from: 'documents.requested', until: 'documents.received' },
        tiers: { key: 'tier', gold: 'PT4H' },
      },
    },
    { id: 'paid', label: 'Paid', on: 'claim.paid', deadline: { due: '/data/promisedAt' } },
  ],
  extendOn: 'deadline.extended',
  cancelOn: 'claim.withdrawn',
});

const received = (data: TestEvent['data'] = {}, time = '05T09:00'): TestEvent => ({
  type: 'claim.received',
  data,
  time: at(time),
});
const answered = (time: string, data: TestEvent['data'] = {}): TestEvent => ({
  type: 'answer.sent',
  data,
  time: at(time),
});
const requested = (time: string): TestEvent => ({ type: 'documents.requested', time: at(time) });
const documents = (time: string): TestEvent => ({ type: 'documents.received', time: at(time) });
const extended = (data: { milestone: string; by?: string; until?: string }, time = '05T10:00') => ({
  type: 'deadline.extended',
  data,
  time: at(time),
});

/** Returns the progress of the milestone `answered` after some events. */
function answer(first: TestEvent, ...more: readonly TestEvent[]): MilestoneProgress {
  return after(first, ...more).description.milestones![1]!;
}

type Outcome = Parameters<Parameters<ReturnType<ReturnType<typeof given>['when']>['then']>[0]>[0];

function after(first: TestEvent, ...more: readonly TestEvent[]): Outcome {
  let result: Outcome | undefined;
  given(claim)
    .when(first, ...more)
    .then((found) => {
      result = found;
    });
  return result!;
}

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

  it('is shorter for a tier, regardless of the order of events', () => {
    expect(answer(received({ tier: 'gold' })).expectedBy).toBe(at('05T13:00'));
    expect(answer(received({ tier: 'silver' })).expectedBy).toBe(at('05T17:00'));
    const later = { ...requested('08T09:00'), data: { tier: 'gold' } };
    expect(answer(later, received({ tier: 'silver' })).expectedBy).toBe(at('05T13:00'));
    expect(answer(received({ tier: 'silver' }), later).expectedBy).toBe(at('05T13:00'));
  });

  it('uses the calendar that is declared for the kept value', () => {
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

describe('a deadline with pauses', () => {
  it('has no expected time and no timers while it is paused', () => {
    const { description, timers } = after(received(), requested('05T10:00'));
    expect(description.milestones![1]).toEqual({ id: 'answered', paused: true });
    expect(timers).toEqual([]);
  });

  it('moves by the open time of the pause when the pause ends', () => {
    const { description, timers } = after(received(), requested('05T16:00'), documents('06T10:00'));
    expect(description.milestones![1]).toEqual({
      id: 'answered',
      expectedBy: at('06T11:00'),
      atRiskAt: at('05T15:00'),
    });
    expect(timers).toEqual([
      { name: 'risk/answered', dueAt: at('05T15:00') },
      { name: 'late/answered', dueAt: at('06T11:00') },
    ]);
  });

  it('is not paused by a pause that begins after the milestone was reached', () => {
    const progress = answer(received(), requested('05T12:00'), answered('05T11:00'));
    expect(progress).toEqual({ id: 'answered', at: at('05T11:00'), expectedBy: at('05T17:00') });
  });

  it('has at most 200 pauses, the last of which can always end', () => {
    const day = (index: number) => String(1 + Math.floor(index / 24)).padStart(2, '0');
    const hour = (index: number) => String(index % 24).padStart(2, '0');
    const times = Array.from(
      { length: maximumPauseEvents },
      (_, index) => `${day(index)}T${hour(index)}`,
    );
    const pauses = times.flatMap((time) => [requested(`${time}:00`), documents(`${time}:30`)]);
    const [first, ...others] = pauses;
    expect(after(first!, ...others).outcome).toBe('applied');
    expect(after(first!, ...others, requested('20T00:00')).reason).toBe(
      'the process already has 200 pauses by documents.requested, which is the limit',
    );
    const open = [...others.slice(0, -1), requested('21T00:00'), documents('22T00:00')];
    expect(after(first!, ...open).outcome).toBe('applied');
  });

  it('ignores repeated events that would begin a pause when the limit is reached', () => {
    const again = Array.from({ length: maximumPauseEvents + 5 }, (_, index) => ({
      type: 'documents.requested',
      time: new Date(Date.parse(at('05T10:00')) + index).toISOString(),
    }));
    const { outcome, state } = after(received(), ...again);
    expect(outcome).toBe('applied');
    const { pause_events } = state as { pause_events: Record<string, string[]> };
    expect(pause_events['documents.requested']!.length).toBeLessThanOrEqual(maximumPauseEvents);
    expect(answer(received(), ...again, documents('05T12:00')).expectedBy).toBe(at('06T11:00'));
  });
});

describe('the timers of a deadline', () => {
  const timers = [
    { name: 'risk/answered', dueAt: at('05T15:00') },
    { name: 'late/answered', dueAt: at('05T17:00') },
  ];

  it('fire when the milestone is at risk and when it is late', () => {
    expect(after(received()).timers).toEqual(timers);
    expect(answer(received(), fired('risk/answered')).atRisk).toBe(true);
    const late = after(received(), fired('risk/answered'), fired('late/answered'));
    expect(late.description.milestones![1]).toMatchObject({ late: true });
    expect(late.description.milestones![1]).not.toHaveProperty('atRisk');
    expect(late.timers).toEqual([]);
  });

  it('keep running if their time stays the same', () => {
    const { timers: same, state } = after(received(), requested('05T18:00'));
    expect(same).toEqual(timers);
    const event = {
      type: 'documents.received',
      time: at('05T19:00'),
      id: 'e',
      source: 's',
      model: 'claim',
    };
    const context = { first: false, recordedAt: at('05T19:00') };
    expect(
      claim.transition({ ...event, transaction: 't', data: {} }, state as ProcessState, context),
    ).toMatchObject({ accepted: true, effects: [] });
  });

  it('restart if the deadline moves to a later time after they fire', () => {
    const moved = after(
      received(),
      fired('risk/answered'),
      fired('late/answered'),
      extended({ milestone: 'answered', by: 'PT4H' }),
    );
    expect(moved.description.milestones![1]).toEqual({
      id: 'answered',
      expectedBy: at('06T13:00'),
      atRiskAt: at('06T10:00'),
    });
    expect(moved.timers.map(({ name }) => name)).toEqual(['risk/answered', 'late/answered']);
  });

  it('fire after the grace period, which does not change the expected time', () => {
    const process = defineProcess({
      id: 'batch',
      milestones: [
        { id: 'booked', label: 'Booked', deadline: { within: 'PT1H', warnAt: 0.5, grace: 'PT2H' } },
        { id: 'sent', label: 'Sent', on: 'sent' },
        { id: 'done', label: 'Done' },
      ],
    });
    given(process)
      .when({ type: 'sent', time: at('05T09:00') })
      .then(({ timers, description }) => {
        expect(timers).toEqual([
          { name: 'risk/booked', dueAt: at('05T11:30') },
          { name: 'late/booked', dueAt: at('05T12:00') },
        ]);
        expect(description.milestones![0]).toEqual({
          id: 'booked',
          expectedBy: at('05T10:00'),
          atRiskAt: at('05T09:30'),
        });
      });
  });

  it('restart after they fire if another version of the process set them too early', () => {
    const one = (within: string, version: number) =>
      defineProcess({
        id: 'one',
        version,
        milestones: [
          { id: 'sent', label: 'Sent', on: 'sent' },
          { id: 'done', label: 'Done', deadline: { within } },
        ],
      });
    const sent = { type: 'sent', time: at('05T09:00') };
    // The timer of the first version fires in the second version.
    const early = {
      type: 'timer.fired',
      time: at('05T10:00'),
      data: { name: 'late/done', dueAt: at('05T10:00') },
    };
    given(one('PT1H', 1), sent)
      .when(fired('late/done'))
      .then(({ description }) => expect(description.milestones![1]!.late).toBe(true));
    const second = one('PT5H', 2);
    const state = { started_at: sent.time, reached: { sent: sent.time } };
    const decision = second.transition(
      { ...early, id: 't', source: 'clock', model: 'one', transaction: 'x' },
      state,
      { first: false, recordedAt: early.time },
    );
    expect(decision).toEqual({
      accepted: true,
      state,
      effects: [{ kind: 'start-timer', name: 'late/done', dueAt: at('05T14:00') }],
    });
  });
});

describe('an event from a producer whose clock is ahead', () => {
  /** Applies an event that is recorded on January 5, regardless of its own time. */
  function recorded(type: string, time: string, state?: ProcessState): ProcessState {
    const event = { id: type, source: 's', model: 'claim', transaction: 't', type, time, data: {} };
    const decision = claim.transition(event, state ?? claim.initial(event), {
      first: state === undefined,
      recordedAt: at('05T09:00'),
    });
    if (!decision.accepted) throw new Error(decision.reason);
    return decision.state;
  }

  it('reaches its milestone when it is recorded', () => {
    const state = recorded('claim.received', at('20T09:00'));
    expect(state).toMatchObject({
      started_at: at('05T09:00'),
      reached: { received: at('05T09:00') },
    });
    expect(claim.describe(state).milestones![1]).toMatchObject({ expectedBy: at('05T17:00') });
  });

  it('begins a pause when it is recorded', () => {
    const before = recorded('claim.received', at('05T08:00'));
    const state = recorded('documents.requested', at('05T12:00'), before);
    expect(state.pause_events).toEqual({ 'documents.requested': [at('05T09:00')] });
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
    ['kept data that an event of the same time contained', { tier: 'silver' }],
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

  it('does not affect milestones, timers or lateness, even if due timers fire between the events', () => {
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
              // Timers that are due at the same time are sorted by the time when they were started.
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
