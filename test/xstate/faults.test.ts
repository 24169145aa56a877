import { fired, given } from 'milepost/testing';
import { fromMachine, type MachineOptions } from 'milepost/xstate';
import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, and, assign, createMachine, raise, setup } from 'xstate';
import { ModelFault } from '../../src/core/model/model-fault.ts';
import { stackFrames } from '../../src/core/model/stack-frames.ts';

const bug = (): never => {
  throw new RangeError('a bug');
};

const parcel = setup({
  guards: { isPaid: bug, isWhole: () => true },
  actions: { tell: () => undefined },
  delays: { patience: bug },
}).createMachine({
  id: 'parcel',
  context: { n: 0 },
  initial: 'open',
  states: {
    open: {
      on: {
        'named.guard': { guard: 'isPaid', target: 'closed' },
        'inline.guard': { guard: () => bug(), target: 'closed' },
        'joined.guards': { guard: and(['isWhole', 'isPaid']), target: 'closed' },
        assigned: { actions: assign({ n: bug }) },
        told: { actions: 'tell' },
        delayed: 'waiting',
      },
    },
    waiting: { after: { patience: 'closed' } },
    closed: {},
  },
});

function faultOn(type: string, options: MachineOptions<AnyStateMachine> = {}): ModelFault {
  const model = fromMachine(parcel as AnyStateMachine, { effects: { tell: bug }, ...options });
  try {
    given(model).when({ type, id: 'e1' });
  } catch (error) {
    if (error instanceof ModelFault) return error;
    throw error;
  }
  throw new Error('the model accepted the event');
}

describe('a fault of a state machine', () => {
  it.each([
    ['named.guard', ', in the guard isPaid: a bug'],
    ['inline.guard', ', in a guard: a bug'],
    ['joined.guards', ', in the guard isPaid: a bug'],
    ['assigned', ': a bug'],
    ['told', ', in the effects of tell: a bug'],
    ['delayed', ': a bug'],
  ])('on %s contains the error and, if known, the function that threw it', (type, words) => {
    const fault = faultOn(type);
    expect(fault.message).toBe(`model parcel failed on ${type} e1${words}`);
    expect(fault.cause).toBeInstanceOf(RangeError);
    expect(stackFrames(fault.cause)[0]?.file).toBe(import.meta.filename);
  });

  it('contains the name of the input function', () => {
    expect(faultOn('told', { input: bug }).message).toContain(', in input: a bug');
  });
});

describe('transitions that never end', () => {
  const failure = 'the machine has processed more than 1000 microsteps';

  it('are a fault if they start on an event', () => {
    const machine = createMachine({
      id: 'loop',
      initial: 'open',
      states: {
        open: { on: { begun: 'here' } },
        here: { always: 'there' },
        there: { always: 'here' },
      },
    });
    const model = given(fromMachine(machine));
    expect(() => model.when({ type: 'begun', id: 'e1' })).toThrow(failure);
  });

  it('are a fault if they start in the initial state', () => {
    const again = raise({ type: 'again' });
    const machine = createMachine({
      id: 'loop',
      initial: 'open',
      states: { open: { entry: again, on: { again: { actions: again } } } },
    });
    const model = given(fromMachine(machine));
    expect(() => model.when({ type: 'begun', id: 'e1' })).toThrow(failure);
  });

  it('are a fault after the number of steps that the machine sets', () => {
    const machine = createMachine({
      id: 'count',
      context: { n: 0 },
      initial: 'open',
      states: {
        open: { on: { begun: 'counting' } },
        counting: {
          always: {
            guard: ({ context: { n } }) => n < 30,
            actions: assign({ n: ({ context: { n } }) => n + 1 }),
          },
        },
      },
    });
    const limitedTo = (maxIterations: number) =>
      fromMachine(createMachine({ ...machine.config, options: { maxIterations } }));
    expect(() => given(limitedTo(20)).when({ type: 'begun' })).toThrow('more than 20 microsteps');
    given(limitedTo(40))
      .when({ type: 'begun' })
      .then(({ state }) => expect(state.context).toEqual({ n: 30 }));
  });
});

it('fromMachine does not change the original machine', () => {
  const guards = parcel.implementations.guards;
  fromMachine(parcel as AnyStateMachine, { effects: { tell: () => [] } });
  expect(parcel.implementations.guards).toBe(guards);
  expect(guards.isPaid).toBe(bug);
});

it('a fault in a guard does not change the outcome or the error of a later event', () => {
  const model = fromMachine(parcel as AnyStateMachine, { effects: { tell: () => [] } });
  expect(() => given(model).when({ type: 'named.guard' })).toThrow('in the guard isPaid');
  expect(() => given(model).when({ type: 'told' })).not.toThrow();
  expect(() => given(model).when(fired('none'))).toThrow('no timer "none" is running');
});
