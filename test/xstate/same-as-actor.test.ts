import fc from 'fast-check';
import { fromMachine } from 'milepost/xstate';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, createActor, SimulatedClock } from 'xstate';
import { timerEvent } from '../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../src/core/event/event.ts';
import { foldEvent } from '../../src/core/history/fold.ts';
import { restoreSnapshot, type Snapshot } from '../../src/core/history/snapshot.ts';
import type { Json } from '../../src/core/json/json.ts';
import type { Model } from '../../src/core/model/model.ts';
import type { MachineState } from '../../src/xstate/index.ts';
import { orderMachine } from './order-machine.ts';
import { playerMachine } from './player-machine.ts';

const start = Date.UTC(2026, 0, 1);
const iso = (after: number) => new Date(start + after).toISOString();

type Happening = { readonly type: string; readonly data: Json } | { readonly wait: number };

/** The machine as a model, which folds each event into the stored JSON of the previous state. */
class Folded {
  readonly #model: Model;
  #now = 0;
  #count = 0;
  #last: Snapshot | undefined;

  constructor(model: Model) {
    this.#model = model;
  }

  send(type: string, data: Json) {
    const id = `e${this.#count++}`;
    this.#fold({ ...this.#key, id, source: 'test', type, time: iso(this.#now), data });
  }

  wait(time: number) {
    this.#now += time;
    for (;;) {
      const timer = this.#last?.timers[0];
      if (!timer || timer.dueAt > iso(this.#now)) return;
      const { id, source, type, time: at, data } = timerEvent(this.#key, timer);
      this.#fold({ ...this.#key, id, source, type, time: at, data } as TrackedEvent);
    }
  }

  get state() {
    const { value, context, status } = this.#last!.state as MachineState;
    return { value, context, status };
  }

  get #key() {
    return { model: this.#model.id, transaction: 'test' };
  }

  #fold(event: TrackedEvent) {
    const { after } = foldEvent(this.#model, this.#last, event);
    this.#last = restoreSnapshot(after);
  }
}

/** The same machine as an actor of XState. */
class Live {
  readonly #clock = new SimulatedClock();
  readonly #actor;
  #count = 0;
  #now = 0;

  constructor(machine: AnyStateMachine, input: unknown) {
    this.#actor = createActor(machine, { clock: this.#clock, input }).start();
  }

  send(type: string, data: Json) {
    const id = `e${this.#count++}`;
    // An actor that is done ignores events with a warning.
    if (this.state.status === 'done') return;
    const event = { model: 'x', transaction: 'test', id, source: 'test', type, data };
    this.#actor.send({ ...event, time: iso(this.#now) });
  }

  wait(time: number) {
    // Advance in small steps: in a single step, a delay that another delay starts would be relative to the end of the
    // step.
    for (let at = 0; at < time; at += 500) this.#clock.increment(500);
    this.#now += time;
  }

  get state() {
    const { value, context, status } = this.#actor.getSnapshot();
    return { value, context, status };
  }
}

function same(
  machine: AnyStateMachine,
  model: unknown,
  input: unknown,
  happenings: readonly Happening[],
) {
  const folded = new Folded(model as Model);
  const live = new Live(machine, input);
  for (const happening of happenings) {
    for (const each of [folded, live]) {
      if ('wait' in happening) each.wait(happening.wait);
      else each.send(happening.type, happening.data);
    }
    expect(folded.state).toEqual(JSON.parse(JSON.stringify(live.state)));
  }
}

/** The maximum number of events. It is large enough to reach every kind of state. */
const long = { maxLength: 40, size: 'max' } as const;
const wait = (longest: number) =>
  fc.integer({ min: 1, max: longest }).map((halves) => ({ wait: halves * 500 }));
const event = (...types: string[]) => fc.constantFrom(...types).map((type) => ({ type, data: {} }));

describe('folding a state machine has the same result as a live actor', () => {
  it('for an order', () => {
    const effects = { tellWarehouse: () => [] };
    const input = { due: 20 };
    // The actor's clock starts at the first accepted event.
    const first = { type: 'note.written', data: { text: 'first' } };
    const model = fromMachine(orderMachine, { effects, input: () => input });
    const happening = fc.oneof(
      { weight: 3, arbitrary: wait(20) },
      {
        weight: 2,
        arbitrary: fc
          .integer({ min: 0, max: 25 })
          .map((amount) => ({ type: 'order.paid', data: { amount } })),
      },
      {
        weight: 3,
        arbitrary: event('order.held', 'order.resumed', 'order.packed', 'order.billed'),
      },
      { weight: 1, arbitrary: event('order.cancelled', 'payment.completed', 'unheard') },
      fc.constant({ type: 'note.written', data: { text: 'a' } }),
    );
    fc.assert(
      fc.property(fc.array(happening, long), (all) =>
        same(orderMachine, model, input, [first, ...all]),
      ),
      { numRuns: 100 },
    );
  });

  it('for a player', () => {
    const model = fromMachine(playerMachine);
    const happening = fc.oneof(
      { weight: 1, arbitrary: wait(8) },
      {
        weight: 3,
        arbitrary: event('power', 'power', 'play', 'skip', 'louder', 'sleep', 'awake', 'unheard'),
      },
    );
    fc.assert(
      fc.property(fc.array(happening, long), (all) =>
        same(playerMachine, model, undefined, [{ type: 'power', data: {} }, ...all]),
      ),
      { numRuns: 60 },
    );
  });

  it('for a player with two delays that expire at the same time, one of which was restarted', () => {
    const model = fromMachine(playerMachine);
    const types = ['power', 'louder', 'louder', 'louder', 'play', 'louder'];
    const happenings = types.map((type) => ({ type, data: {} }));
    const all = [...happenings, { wait: 2000 }, { wait: 1500 }];
    expect(() => same(playerMachine, model, undefined, all)).not.toThrow();
  });
});
