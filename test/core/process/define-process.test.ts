import fc from 'fast-check';
import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { MilepostError } from '../../../src/core/errors.ts';
import { compareDescriptions } from '../../../src/core/history/description-changes.ts';
import type { ProcessDeclaration } from '../../../src/core/process/declaration.ts';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import { milestoneViews, progressOf } from '../../../src/core/status/milestones.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const start = '2026-01-01T00:00:00.000Z';
const hours = (count: number) => new Date(Date.parse(start) + count * 3_600_000).toISOString();

const order = {
  id: 'web-order',
  milestones: [
    { id: 'paid', label: 'Paid', on: 'payment.received', expectedWithin: 'PT2H' },
    { id: 'wrapped', label: 'Gift-wrapped', optional: true, expectedWithin: 'PT3H' },
    { id: 'shipped', label: 'Shipped', on: 'parcel.handed-over', expectedWithin: 'P1D' },
    { id: 'delivered', label: 'Delivered', expectedWithin: 'P2D' },
    { id: 'rated', label: 'Rated', optional: true },
  ],
  cancelOn: 'order.cancelled',
} as const satisfies ProcessDeclaration;
const process = defineProcess(order);

type Id = (typeof order.milestones)[number]['id'];
const reaching = (id: Id, time = start): TestEvent => {
  const milestone: ProcessDeclaration['milestones'][number] = order.milestones.find(
    (each) => each.id === id,
  )!;
  return milestone.on === undefined
    ? { type: 'milestone.reached', data: { milestone: id }, time }
    : { type: milestone.on, time };
};
const cancelled: TestEvent = {
  type: 'order.cancelled',
  data: { reason: 'too slow' },
  time: hours(1),
};
const late = (id: Id) => fired(`late/${id}`);

describe('the model that defineProcess returns', () => {
  it('has an id, a title, a version, statuses, milestones, and events', () => {
    expect(process).toMatchObject({
      id: 'web-order',
      title: 'Web order',
      version: 1,
      statuses: ['Open', 'Paid', 'Gift-wrapped', 'Shipped', 'Delivered', 'Rated', 'Cancelled'],
      milestones: [
        { id: 'paid', label: 'Paid' },
        { id: 'wrapped', label: 'Gift-wrapped', optional: true },
        { id: 'shipped', label: 'Shipped' },
        { id: 'delivered', label: 'Delivered' },
        { id: 'rated', label: 'Rated', optional: true },
      ],
    });
    expect(Object.keys(process.events).toSorted()).toEqual([
      'milestone.reached',
      'order.cancelled',
      'parcel.handed-over',
      'payment.received',
      'timer.fired',
    ]);
  });

  it('has the given title and version and declares only the events that it needs', () => {
    const least = defineProcess({
      id: 'visit',
      title: 'A visit',
      version: 3,
      milestones: [{ id: 'here', label: 'Here', on: 'guest.came' }],
    });
    expect(least).toMatchObject({ title: 'A visit', version: 3, statuses: ['Open', 'Here'] });
    expect(Object.keys(least.events)).toEqual(['guest.came']);
    expect(least.diagram).toEqual({
      nodes: [
        { id: 'Open', label: 'Open' },
        { id: 'Here', label: 'Here' },
      ],
      edges: [{ from: 'Open', to: 'Here', label: 'guest came' }],
    });
  });

  it('has a diagram with transitions that skip optional milestones and transitions that cancel the process', () => {
    const edges = process.diagram!.edges.map(({ from, to, label }) => `${from} > ${to}: ${label}`);
    expect(edges).toEqual([
      'Open > Paid: payment received',
      'Paid > Gift-wrapped: milestone reached',
      'Paid > Shipped: parcel handed-over',
      'Gift-wrapped > Shipped: parcel handed-over',
      'Shipped > Delivered: milestone reached',
      'Delivered > Rated: milestone reached',
      'Open > Cancelled: order cancelled',
      'Paid > Cancelled: order cancelled',
      'Gift-wrapped > Cancelled: order cancelled',
      'Shipped > Cancelled: order cancelled',
    ]);
  });
});

describe('the milestones of a process', () => {
  it('are reached by their own event type with any data, or by milestone.reached', () => {
    given(process)
      .when(
        { type: 'payment.received', data: [1] },
        { type: 'milestone.reached', data: { milestone: 'delivered' } },
      )
      .then(({ statuses, state }) => {
        expect(statuses).toEqual(['Paid', 'Delivered']);
        expect(Object.keys(state.reached)).toEqual(['paid', 'delivered']);
      });
  });

  it('are not reached by milestone.reached if they have their own event type', () => {
    given(process)
      .when({ type: 'milestone.reached', data: { milestone: 'paid' } })
      .then(({ outcome, status }) => {
        expect(outcome).toBe('rejected');
        expect(status).toBe('Open');
      });
  });

  it('are reached only once', () => {
    given(process, reaching('paid'))
      .when(reaching('paid', hours(1)))
      .then(({ reason, state }) => {
        expect(reason).toBe('paid has already been reached');
        expect(state.reached).toEqual({ paid: start });
      });
  });

  it('that are optional delay neither the end nor the progress of the process', () => {
    given(process, reaching('paid'), reaching('shipped'))
      .when(reaching('delivered'))
      .then(({ description, status }) => {
        expect(status).toBe('Delivered');
        expect(description.done).toBe(true);
        expect(progressOf(process.milestones, description)).toBe(1);
      });
  });

  it('can have the ids `constructor`, `__proto__`, and `toString`', () => {
    const names = ['constructor', '__proto__', 'toString'];
    const odd = defineProcess({
      id: 'odd',
      milestones: names.map((id) => ({ id, label: id, expectedWithin: 'PT1H' })),
    });
    const event = (milestone: string) => ({ type: 'milestone.reached', data: { milestone } });
    given(odd, event('__proto__'), fired('late/constructor'))
      .when(event('constructor'))
      .then(({ state, status, timers }) => {
        expect(status).toBe('__proto__');
        expect(Object.keys(state.reached)).toEqual(['__proto__', 'constructor']);
        expect(state.late).toBeUndefined();
        expect(timers.map(({ name }) => name)).toEqual(['late/toString']);
      });
  });
});

describe('the cancellation of a process', () => {
  it('ends the process with a reason and cancels the timers', () => {
    given(process, reaching('paid'))
      .when(cancelled)
      .then(({ state, status, description, timers }) => {
        expect(status).toBe('Cancelled');
        expect(description.done).toBe(true);
        expect(state.cancelled).toEqual({ at: hours(1), reason: 'too slow' });
        expect(timers).toEqual([]);
      });
  });

  it.each([[{}], [null], [{ reason: 5 }], ['because']])(
    'has no reason if the data is %j',
    (data) => {
      given(process)
        .when({ type: 'order.cancelled', data, time: start })
        .then(({ state }) => expect(state.cancelled).toEqual({ at: start }));
    },
  );

  it('is accepted only once and not after the process is complete', () => {
    given(process, cancelled)
      .when(cancelled)
      .then(({ reason }) => expect(reason).toBe('the process is canceled'));
    given(process, reaching('delivered'))
      .when(cancelled)
      .then(({ reason }) => expect(reason).toBe('the process is done'));
  });
});

describe('the expected milestones of a process', () => {
  const dueAt = [
    { name: 'late/paid', dueAt: hours(2) },
    { name: 'late/wrapped', dueAt: hours(3) },
    { name: 'late/shipped', dueAt: hours(24) },
    { name: 'late/delivered', dueAt: hours(48) },
  ];

  it('have expected times relative to the first event', () => {
    given(process)
      .when(reaching('rated'), reaching('shipped', hours(9)))
      .then(({ description }) =>
        expect(description.milestones?.map(({ expectedBy }) => expectedBy)).toEqual([
          ...dueAt.map((timer) => timer.dueAt),
          undefined,
        ]),
      );
  });

  it('have timers from the first applied event until they are reached', () => {
    given(process)
      .when({ type: 'nonsense', time: start })
      .then(({ timers }) => expect(timers).toEqual([]));
    const nonsense = { type: 'milestone.reached', data: { milestone: 'nonsense' }, time: start };
    given(process)
      .when(nonsense, reaching('paid', hours(1)))
      .then(({ timers, state }) => {
        expect(state.started_at).toBe(hours(1));
        expect(timers).toEqual([
          { name: 'late/wrapped', dueAt: hours(4) },
          { name: 'late/shipped', dueAt: hours(25) },
          { name: 'late/delivered', dueAt: hours(49) },
        ]);
      });
  });

  it('become late when they are due', () => {
    given(process, reaching('paid'))
      .when(late('wrapped'), late('shipped'))
      .then(({ outcome, state, status, description, timers }) => {
        expect(outcome).toBe('applied');
        expect(status).toBe('Paid');
        expect(state.late).toEqual({ wrapped: hours(3), shipped: hours(24) });
        expect(description.milestones).toEqual([
          { id: 'paid', at: start, expectedBy: hours(2) },
          { id: 'wrapped', expectedBy: hours(3), late: true },
          { id: 'shipped', expectedBy: hours(24), late: true },
          { id: 'delivered', expectedBy: hours(48) },
          { id: 'rated' },
        ]);
        expect(timers).toEqual(dueAt.slice(3));
      });
  });

  it('are not late after they are reached', () => {
    given(process, reaching('paid'), late('shipped'))
      .when(reaching('shipped', hours(30)))
      .then(({ state, description }) => {
        expect(state.late).toBeUndefined();
        expect(description.milestones?.[2]).toEqual({
          id: 'shipped',
          at: hours(30),
          expectedBy: hours(24),
        });
      });
  });

  it('do not include optional milestones that the process has passed', () => {
    given(process, reaching('paid'))
      .when(reaching('shipped'))
      .then(({ timers, description }) => {
        expect(timers).toEqual(dueAt.slice(3));
        const views = milestoneViews(process.milestones, description, Date.parse(hours(10)));
        expect(views[1]?.state).toBe('skipped');
      });
  });

  it.each(['shipped', 'delivered'] as const)(
    'are no longer late if they are optional and %s is reached',
    (next) => {
      given(process, reaching('paid'), late('wrapped'))
        .when(reaching(next, hours(4)))
        .then(({ state, description }) => {
          expect(state.late).toBeUndefined();
          const before = { status: 'Paid', milestones: [{ id: 'wrapped', late: true as const }] };
          expect(compareDescriptions(before, description).lateCleared).toEqual(['wrapped']);
        });
    },
  );

  it('remain late when the process is canceled', () => {
    given(process, reaching('paid'), late('shipped'))
      .when(cancelled)
      .then(({ state }) => expect(state.late).toEqual({ shipped: hours(24) }));
  });

  it('have no timers after the process is done', () => {
    given(process)
      .when(reaching('delivered'))
      .then(({ timers }) => expect(timers).toEqual([]));
  });
});

const events = fc.constantFrom<Id>('paid', 'wrapped', 'shipped', 'delivered', 'rated');

describe('a process with events in any order', () => {
  it('reaches the same state if it reaches the same milestones', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(order.milestones.map(({ id }) => id)), (ids) => {
        fc.pre(ids.length > 0);
        const inOrder = order.milestones.map(({ id }) => id).filter((id) => ids.includes(id));
        const come = (to: readonly Id[]) => {
          let came: unknown;
          const [first, ...more] = to.map((id, index) => ({ ...reaching(id), id: `e${index}` }));
          given(process)
            .when(first!, ...more)
            .then(({ state, status, description, timers }) => {
              const progress = progressOf(process.milestones, description);
              came = { state, status, description, timers, progress };
            });
          return came;
        };
        expect(come(ids)).toEqual(come(inOrder));
      }),
    );
  });

  it('rejects a repeated milestone and changes neither its state nor its timers', () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 8 }), events, (ids, again) => {
        const [first, ...more] = [again, ...ids].map((id) => reaching(id));
        given(process)
          .when(first!, ...more)
          .then((before) =>
            given(process)
              .when(first!, ...more, reaching(again, hours(5)))
              .then((after) => {
                expect(after.outcome).toBe('rejected');
                expect(after.state).toEqual(before.state);
                expect(after.timers).toEqual(before.timers);
              }),
          );
      }),
    );
  });

  it('never has a milestone that is both late and reached, and runs timers for exactly the milestones that can become late', () => {
    const happenings = fc.oneof(
      { weight: 4, arbitrary: events },
      { weight: 3, arbitrary: fc.constant('timer' as const) },
      { weight: 1, arbitrary: fc.constant('cancel' as const) },
    );
    const told = order.milestones.map(({ id }) => id);
    fc.assert(
      fc.property(fc.array(happenings, { maxLength: 12 }), (all) => {
        const past: TestEvent[] = [reaching('paid')];
        let running: readonly { name: string }[] = dueAtStart();
        for (const happening of all) {
          const happened =
            happening === 'cancel'
              ? cancelled
              : happening === 'timer'
                ? running[0] && fired(running[0].name)
                : reaching(happening);
          if (!happened) continue;
          given(process, ...past)
            .when(happened)
            .then(({ state, description, timers, outcome }) => {
              running = timers;
              if (outcome === 'applied') past.push(happened);
              const reached = Object.keys(state.reached);
              const isLate = Object.keys(state.late ?? {});
              expect(reached.filter((id) => isLate.includes(id))).toEqual([]);
              expect(description.milestones?.filter((m) => m.late && m.at !== undefined)).toEqual(
                [],
              );
              const furthest = told.findLastIndex((id) => reached.includes(id));
              const over = description.done === true;
              const awaited = told.filter(
                (id, index) =>
                  !over &&
                  id !== 'rated' &&
                  !reached.includes(id) &&
                  !isLate.includes(id) &&
                  !(id === 'wrapped' && index < furthest),
              );
              expect(timers.map(({ name }) => name)).toEqual(awaited.map((id) => `late/${id}`));
            });
        }
      }),
    );
  });

  const dueAtStart = () =>
    ['late/wrapped', 'late/shipped', 'late/delivered'].map((name) => ({ name }));
});

describe('a new version of a process', () => {
  const second = defineProcess({
    ...order,
    version: 2,
    milestones: [...order.milestones, { id: 'paid-back', label: 'Paid back', optional: true }],
    migrate: ({ reached: { dispatched, ...reached }, ...state }) => ({
      ...state,
      reached: { ...reached, ...(dispatched && { shipped: dispatched }) },
    }),
  });
  const left = { started_at: start, reached: { paid: hours(1), dispatched: hours(2) } };

  it('keeps the time of a renamed milestone and has not reached its new milestones', () => {
    given(second)
      .state(left, { version: 1 })
      .when(reaching('delivered', hours(3)))
      .then(({ state, status }) => {
        expect(state.reached).toEqual({ paid: hours(1), shipped: hours(2), delivered: hours(3) });
        expect(status).toBe('Delivered');
      });
  });

  it('needs no migrate function for added and removed milestones', () => {
    given(defineProcess({ ...order, version: 2 }))
      .state(left, { version: 1 })
      .when(reaching('wrapped', hours(3)))
      .then(({ outcome, status }) => {
        expect([outcome, status]).toEqual(['applied', 'Gift-wrapped']);
      });
  });
});

describe('defineProcess', () => {
  const one = { id: 'paid', label: 'Paid' };
  it.each<[what: string, parts: object, message: string]>([
    ['no milestones', { milestones: [] }, 'at least one must not be optional'],
    [
      'only optional milestones',
      { milestones: [{ ...one, optional: true }] },
      'at least one must not be optional',
    ],
    [
      'a duration in words',
      { milestones: [{ ...one, expectedWithin: '48 hours' }] },
      'milestones.0.expectedWithin: "48 hours" is not an ISO 8601 duration',
    ],
    ['a duration in months', { milestones: [{ ...one, expectedWithin: 'P1M' }] }, 'use days'],
    ['a negative duration', { milestones: [{ ...one, expectedWithin: '-PT1H' }] }, 'is negative'],
    ['a repeated id', { milestones: [one, { ...one, label: 'More' }] }, '"paid" is declared twice'],
    ['a repeated label', { milestones: [one, { ...one, id: 'more' }] }, '"Paid" is declared twice'],
    [
      'a label that is a reserved status',
      { milestones: [{ ...one, label: 'Open' }] },
      '"Open" is declared twice',
    ],
    [
      'an id that is too long for a timer',
      { milestones: [{ ...one, id: 'x'.repeat(196), expectedWithin: 'PT1H' }] },
      'too long to name a timer',
    ],
    [
      'an event for two milestones',
      {
        milestones: [
          { ...one, on: 'a' },
          { id: 'b', label: 'B', on: 'a' },
        ],
      },
      'a reaches both paid and b',
    ],
    [
      'a cancellation by the event of a milestone',
      { cancelOn: 'milestone.reached' },
      'both cancels the process and reaches',
    ],
    ["an event that is Milepost's own", { cancelOn: 'timer.fired' }, 'is reserved for Milepost'],
    ['an empty event type', { milestones: [{ ...one, on: '' }] }, '1 to 256 characters'],
    ['an unknown member', { milestones: [{ ...one, expectedwithin: 'PT1H' }] }, 'expectedwithin'],
    ['a cancelOn that is not a string', { cancelOn: true }, 'cancelOn'],
    ['an invalid version', { version: 0 }, 'the version'],
    ['a migrate that is not a function', { migrate: { from: 1 } }, 'migrate'],
    [
      'more milestones than fit into a description',
      {
        milestones: Array.from({ length: 200 }, (_, i) => ({ id: `m${i}`, label: `M${i}` })),
      },
      'too many milestones',
    ],
  ])('throws an error that names the process for a declaration with %s', (_, parts, message) => {
    const thrown = thrownBy(() => defineProcess({ id: 'orders', milestones: [one], ...parts }));
    expect(thrown).toBeInstanceOf(MilepostError);
    expect(thrown).toMatchObject({ code: 'bad-model', message: expect.stringContaining(message) });
    expect((thrown as Error).message).toContain('"orders"');
  });

  it('accepts a milestone id of the maximum length that the name of a timer allows', () => {
    const id = 'x'.repeat(195);
    const milestones = [
      { ...one, id, expectedWithin: 'PT1H' },
      { id: 'b', label: 'B' },
    ];
    given(defineProcess({ id: 'orders', milestones }))
      .when({ type: 'milestone.reached', data: { milestone: 'b' } })
      .then(({ outcome }) => expect(outcome).toBe('applied'));
    given(defineProcess({ id: 'orders', milestones: [...milestones, { id: 'c', label: 'C' }] }))
      .when({ type: 'milestone.reached', data: { milestone: 'b' } })
      .then(({ timers }) => expect(timers.map(({ name }) => name)).toEqual([`late/${id}`]));
  });

  it('accepts no process whose description would become too large as its milestones are reached', () => {
    // Each character takes as many bytes as possible.
    const number = '🐎'.repeat(256);
    const sized = (count: number) =>
      defineProcess({
        id: 'large',
        keep: { number: '/data/number' },
        reference: 'number',
        milestones: [
          ...Array.from({ length: count }, (_, i) => ({ id: `m${i}`, label: `M${i}` })),
          { id: 'last', label: '🐎'.repeat(100) },
        ],
      });
    let count = 100;
    while (thrownBy(() => sized(count + 1)) === undefined) count++;
    const process = sized(count);
    given(process)
      .when(
        ...(process.milestones.map(({ id }) => ({
          type: 'milestone.reached',
          data: { milestone: id, number },
          time: '2026-01-01T00:00:00.123456789Z',
        })) as unknown as [TestEvent]),
      )
      .then(({ description }) => expect(description.done).toBe(true));
  });
});
