import { emit as send } from 'milepost';
import { fired, given, type TestEvent } from 'milepost/testing';
import { fromMachine } from 'milepost/xstate';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { assign, createMachine, enqueueActions, log, raise, setup } from 'xstate';
import { MilepostError } from '../../src/core/errors.ts';
import { thrownBy } from '../support/thrown-by.ts';
import { orderMachine } from './order-machine.ts';

const start = '2026-01-01T00:00:00.000Z';
const at = (seconds: number) => new Date(Date.parse(start) + seconds * 1000).toISOString();

const order = fromMachine(orderMachine, {
  events: { 'order.paid': v.object({ amount: v.pipe(v.number(), v.minValue(0)) }) },
  effects: {
    tellWarehouse: ({ context, cause }, params) =>
      send({
        model: 'warehouse',
        transaction: cause.transaction,
        type: 'order.placed',
        data: { paid: context.paid, ...(params as { urgent: boolean }) },
      }),
  },
  input: () => ({ due: 100 }),
});

const paid = (amount: number, seconds = 10): TestEvent => ({
  type: 'order.paid',
  data: { amount },
  time: at(seconds),
});
const event = (type: string, seconds = 0): TestEvent => ({ type, time: at(seconds) });
const note = { type: 'note.written', data: { text: 'hello' }, time: start };
const patience = 'xstate.after.patience.order.open.waiting';
const settling = 'xstate.after.5000.order.open.settled';
const fulfilling = [note, paid(100), fired(settling)];

describe('the model of a state machine', () => {
  it('has the statuses and event types of the machine', () => {
    expect(order).toMatchObject({ id: 'order', title: 'Order', version: 1, milestones: [] });
    expect(order.statuses).toEqual([
      'open.waiting',
      'open.settling',
      'open.settled',
      'held',
      'fulfilling',
      'complete',
      'expired',
      'cancelled',
    ]);
    expect(Object.keys(order.events).toSorted()).toEqual([
      'note.written',
      'order.billed',
      'order.cancelled',
      'order.held',
      'order.packed',
      'order.paid',
      'order.resumed',
      'payment.completed',
      'reminder.due',
      'timer.fired',
    ]);
  });

  it('has a diagram of the machine', () => {
    expect(order.diagram?.nodes.map(({ id }) => id)).toEqual(order.statuses);
    const edges = order.diagram!.edges.map(({ from, to, label }) => `${from} > ${to}: ${label}`);
    expect(edges.toSorted()).toEqual(
      [
        'open.waiting > open.settling: order.paid [isEnough]',
        'open.waiting > open.waiting: order.paid',
        'open.waiting > open.waiting: reminder.due',
        'open.waiting > expired: after patience',
        'open.settling > open.settled: payment.completed',
        'open.settled > fulfilling: after 5000 ms',
        ...['waiting', 'settling', 'settled'].flatMap((inner) => [
          `open.${inner} > held: order.held`,
          `open.${inner} > open.${inner}: note.written`,
          `open.${inner} > cancelled: order.cancelled`,
        ]),
        'held > open.waiting: order.resumed',
        'held > cancelled: order.cancelled',
        'fulfilling > fulfilling: order.packed',
        'fulfilling > fulfilling: order.billed',
        'fulfilling > complete: done',
        'fulfilling > cancelled: order.cancelled',
      ].toSorted(),
    );
  });

  it('has the name, title, and version from the options', () => {
    const options = { id: 'web-order', title: 'An order', version: 2 };
    expect(
      fromMachine(createMachine({ on: { go: { actions: log('gone') } } }), options),
    ).toMatchObject({ ...options, statuses: ['(machine)'] });
  });
});

describe('the events of a state machine', () => {
  it('reach the machine unchanged and set the status to the path of the state', () => {
    given(order, note)
      .when(paid(40, 20))
      .then(({ outcome, status, state, description }) => {
        expect(outcome).toBe('applied');
        expect(status).toBe('open.waiting');
        expect(description.done).toBe(false);
        expect(state).toEqual({
          status: 'active',
          value: { open: 'waiting' },
          context: { due: 100, paid: 40, paidAt: at(20), reminders: 0, log: ['hello'] },
          delayed: { reminder: { type: 'reminder.due', count: 1 } },
        });
      });
  });

  it('are rejected with a reason that names the current state if the machine does not accept them', () => {
    given(order, note)
      .when(event('order.packed'))
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('the machine does not accept order.packed in state open.waiting');
        expect(state.value).toEqual({ open: 'waiting' });
      });
    given(order, ...fulfilling)
      .when(event('order.paid'))
      .then(({ reason }) => expect(reason).toContain('data: amount'));
    given(order, ...fulfilling)
      .when(paid(1))
      .then(({ reason }) =>
        expect(reason).toBe(
          'the machine does not accept order.paid in state fulfilling.packing.todo and fulfilling.billing.todo',
        ),
      );
  });

  it.each([[5], [['a']], ['text']])('are rejected if their data is not an object: %j', (data) => {
    given(order)
      .when({ type: 'order.held', data })
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('must be an object');
      });
  });

  it('include raised events, which the machine handles in the same transition', () => {
    given(order, note)
      .when(paid(100))
      .then(({ statuses, sent, timers }) => {
        expect(statuses).toEqual(['open.settled']);
        expect(sent).toEqual([{ kind: 'notify', type: 'OrderPaid', data: { amount: 100 } }]);
        expect(timers).toEqual([{ name: settling, dueAt: at(15) }]);
      });
  });

  it('move the machine through parallel states to a final state and are then rejected', () => {
    given(order, ...fulfilling)
      .when(event('order.billed'), event('order.packed'))
      .then(({ statuses, description, state }) => {
        expect(statuses).toEqual(['fulfilling', 'complete']);
        expect(description.done).toBe(true);
        expect(state.status).toBe('done');
      });
    given(order, ...fulfilling, event('order.billed'), event('order.packed'))
      .when(event('order.cancelled'))
      .then(({ reason }) => expect(reason).toBe('the machine is done, in state complete'));
  });

  it('can return to the previous state through a history state', () => {
    given(order, note, paid(100), event('order.held', 11))
      .when(event('order.resumed', 60))
      .then(({ statuses, timers }) => {
        expect(statuses).toEqual(['open.settled']);
        expect(timers).toEqual([{ name: settling, dueAt: at(65) }]);
      });
  });

  it('cause the effects that are declared for an action', () => {
    given(order, note, paid(120))
      .when(fired(settling))
      .then(({ status, sent }) => {
        expect(status).toBe('fulfilling');
        expect(sent).toEqual([
          {
            kind: 'emit',
            model: 'warehouse',
            transaction: 'test',
            type: 'order.placed',
            data: { paid: 120, urgent: true },
          },
        ]);
      });
  });
});

describe('the delays of a state machine', () => {
  it('become timers at the first event', () => {
    given(order)
      .when(note)
      .then(({ timers, state }) => {
        expect(timers).toEqual([
          { name: 'reminder', dueAt: at(60) },
          { name: patience, dueAt: at(100) },
        ]);
        expect(state.starting).toBeUndefined();
      });
  });

  it('start at the first accepted event, but count from the time of the first event, even if that event was rejected', () => {
    given(order)
      .when({ ...event('order.packed') })
      .then(({ outcome, timers }) => {
        expect(outcome).toBe('rejected');
        expect(timers).toEqual([]);
      });
    given(order)
      .when(event('order.packed'), { ...note, time: at(30) })
      .then(({ timers }) => expect(timers.map(({ dueAt }) => dueAt)).toEqual([at(60), at(100)]));
  });

  it('are canceled when the state is exited, and restart when it is reentered', () => {
    given(order, note)
      .when(event('order.held', 20))
      .then(({ timers, state }) => {
        expect(timers).toEqual([]);
        expect(state.delayed).toBeUndefined();
      });
    given(order, note, event('order.held', 20))
      .when(event('order.resumed', 50))
      .then(({ status, timers }) => {
        expect(status).toBe('open.waiting');
        expect(timers).toEqual([
          { name: 'reminder', dueAt: at(110) },
          { name: patience, dueAt: at(150) },
        ]);
      });
  });

  it('trigger the events and transitions that the machine declares for them', () => {
    given(order, note)
      .when(fired('reminder'))
      .then(({ outcome, state, timers }) => {
        expect(outcome).toBe('applied');
        expect(state.context.reminders).toBe(1);
        expect(state.delayed).toBeUndefined();
        expect(timers.map(({ name }) => name)).toEqual([patience]);
      });
    given(order, note)
      .when(fired(patience))
      .then(({ status, description, timers }) => {
        expect(status).toBe('expired');
        expect(description.done).toBe(true);
        expect(timers).toEqual([]);
      });
  });

  const lamp = fromMachine(
    setup({
      types: { context: {} as { blocked: boolean; at: string[] } },
      guards: { free: ({ context }) => !context.blocked },
    }).createMachine({
      id: 'lamp',
      context: { blocked: true, at: [] },
      initial: 'on',
      states: {
        on: {
          after: { 1500: { guard: 'free', target: 'off' } },
          on: {
            flashed: {
              actions: raise({ type: 'flash.over' }, { delay: 10 }),
            },
            again: { target: 'on', reenter: true },
            freed: { actions: assign({ blocked: false }) },
          },
        },
        off: {
          entry: assign({
            at: ({ context, event }) => [...context.at, (event as { time?: string }).time ?? ''],
          }),
        },
      },
    }),
  );
  const lampTimer = 'xstate.after.1500.lamp.on';

  it('result in a rejected timer event if a guard blocks the transition', () => {
    given(lamp, event('flashed'))
      .when(fired(lampTimer))
      .then(({ outcome, reason, status }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe(`the machine does not accept ${lampTimer} in state on`);
        expect(status).toBe('on');
      });
  });

  it('trigger an event whose time is the due time', () => {
    given(lamp, event('freed'))
      .when(fired(lampTimer))
      .then(({ state }) => expect(state.context.at).toEqual([at(1.5)]));
  });

  it('restart when a state is reentered', () => {
    given(lamp, event('freed'))
      .when(event('again', 7))
      .then(({ timers }) => expect(timers).toEqual([{ name: lampTimer, dueAt: at(8.5) }]));
  });

  it('are canceled when the machine is done', () => {
    const call = fromMachine(
      createMachine({
        id: 'call',
        initial: 'ringing',
        states: {
          ringing: {
            entry: raise({ type: 'missed' }, { id: 'missed', delay: 1000 }),
            on: { answered: 'over', missed: 'over' },
          },
          over: { type: 'final' },
        },
      }),
    );
    given(call)
      .when(event('answered'))
      .then(({ state, timers }) => {
        expect(timers).toEqual([]);
        expect(state).toEqual({ status: 'done', value: 'over', context: {} });
      });
  });

  it('replace earlier delays that were raised with the same id', () => {
    const bell = fromMachine(
      createMachine({
        id: 'bell',
        on: {
          pressed: { actions: raise({ type: 'rung' }, { id: 'ring', delay: 2000 }) },
          rung: { actions: log('rung') },
        },
      }),
    );
    given(bell, event('pressed'))
      .when(event('pressed', 1))
      .then(({ timers }) => expect(timers).toEqual([{ name: 'ring', dueAt: at(3) }]));
  });

  it('get distinct names by default and have no effect if no transition handles their event', () => {
    given(lamp, event('flashed'))
      .when(event('flashed', 1))
      .then(({ timers, state }) => {
        const names = timers.map(({ name }) => name).filter((name) => name !== lampTimer);
        expect(new Set(names).size).toBe(2);
        for (const name of names) expect(name).toMatch(/^flash\.over\/[A-Z0-9]{6}$/);
        expect(Object.keys(state.delayed!).toSorted()).toEqual(names.toSorted());
        given(lamp, event('flashed'), event('flashed', 1))
          .when(fired(names[0]!))
          .then((after) => {
            expect(after.outcome).toBe('applied');
            expect(Object.keys(after.state.delayed!)).toEqual([names[1]]);
          });
      });
  });
});

describe('wildcards in a state machine', () => {
  const machine = createMachine({
    id: 'any',
    initial: 'idle',
    states: { idle: { on: { 'scan.*': 'seen' } }, seen: {} },
  });

  it('match the event types in the `events` option', () => {
    given(fromMachine(machine, { events: { 'scan.out': v.unknown() } }))
      .when({ type: 'scan.out', data: 7 })
      .then(({ status }) => expect(status).toBe('seen'));
  });

  it('are rejected if the `events` option lists no matching types', () => {
    expect(thrownBy(() => fromMachine(machine))).toMatchObject({
      code: 'bad-model',
      message: expect.stringContaining('events must list the types that match scan.*'),
    });
  });
});

describe('non-JSON values in a state machine', () => {
  it.each<[what: string, context: object, message: string]>([
    ['a Date', { at: new Date(0) }, 'state.context.at is a Date'],
    ['a Map', { at: new Map() }, 'state.context.at is a Map'],
    ['a function', { at: [() => 1] }, 'state.context.at[0] is a function'],
    ['an undefined item', { at: [undefined] }, 'state.context.at[0] is undefined'],
  ])('are rejected in the context: %s', (_, context, message) => {
    const model = fromMachine(
      createMachine({ id: 'odd', context, on: { go: { actions: log('') } } }),
    );
    expect(() => given(model).when({ type: 'go' })).toThrow(message);
  });
});

describe('a faulty state machine', () => {
  it('throws the errors that its code throws, and errors for spawned actors and undeclared actions', () => {
    const failing = createMachine({
      id: 'failing',
      context: () => {
        throw new Error('no input');
      },
      on: { go: { actions: log('') } },
    });
    expect(() => given(fromMachine(failing)).when({ type: 'go' })).toThrow('no input');
    const spawning = createMachine({
      id: 'spawning',
      on: {
        go: {
          actions: assign(({ spawn }) => ({
            child: spawn(createMachine({ id: 'child' }), { id: 'kid' }),
          })),
        },
      },
    });
    expect(() => given(fromMachine(spawning)).when({ type: 'go' })).toThrow('spawned');
    const queueing = createMachine({
      id: 'queueing',
      on: { go: { actions: enqueueActions(({ enqueue }) => enqueue({ type: 'unheard' })) } },
    });
    expect(() => given(fromMachine(queueing)).when({ type: 'go' })).toThrow(
      'the action unheard has no entry in effects',
    );
  });

  it('throws an error if the machine no longer has the stored state', () => {
    const before = { status: 'active', value: 'gone', context: {} } as const;
    const model = fromMachine(
      createMachine({ id: 'new', initial: 'a', states: { a: { on: { go: 'a' } } } }),
    );
    expect(() => model.describe(before)).toThrow('the machine has no state new.gone');
  });
});

describe('another version of a state machine', () => {
  const machine = createMachine({
    id: 'parcel',
    initial: 'ready',
    states: { ready: { on: { go: 'gone' } }, gone: {} },
  });
  const left = { status: 'active', value: 'waiting', context: {} } as const;

  it('converts stored states with its migrate function', () => {
    const model = fromMachine(machine, {
      version: 2,
      migrate: (state) => ({ ...state, value: state.value === 'waiting' ? 'ready' : state.value }),
    });
    given(model)
      .state(left, { version: 1 })
      .when({ type: 'go' })
      .then(({ status }) => expect(status).toBe('gone'));
  });

  it('reports a missing state if there is no migrate function', () => {
    const model = fromMachine(machine, { version: 2 });
    expect(() => given(model).state(left, { version: 1 })).toThrow(
      'failed to migrate a state of version 1 to version 2, in describe: the machine has no state parcel.waiting',
    );
  });
});

it('an error from fromMachine names the model', () => {
  const thrown = thrownBy(() => fromMachine(createMachine({ id: 'Bad' })));
  expect(thrown).toBeInstanceOf(MilepostError);
  expect((thrown as Error).message).toContain('model "Bad"');
});
