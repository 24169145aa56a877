import { fromMachine, type MachineOptions } from 'milepost/xstate';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  type AnyStateMachine,
  and,
  cancel,
  createMachine,
  emit,
  fromPromise,
  log,
  not,
  raise,
  sendParent,
  sendTo,
  setup,
  spawnChild,
  stateIn,
  stopChild,
} from 'xstate';
import { notify } from '../../src/core/effects/effect.ts';
import { thrownBy } from '../support/thrown-by.ts';

/** Creates a machine with a single state, `on`, from the given parts. */
const machine = (parts: object): AnyStateMachine =>
  createMachine({ id: 'lamp', initial: 'on', states: { on: { on: { off: 'on' }, ...parts } } });
const doing = (action: unknown) => machine({ entry: [action] });
const guarded = (guard: unknown) => machine({ on: { off: { target: 'on', guard } } });

describe('an unsupported state machine', () => {
  it.each<[what: string, machine: AnyStateMachine, message: string]>([
    [
      'invoking an actor',
      machine({ invoke: { id: 'charge', src: fromPromise(() => Promise.resolve()) } }),
      'in on, it invokes charge',
    ],
    [
      'invoking an actor in a nested state',
      machine({ initial: 'a', states: { a: { invoke: { src: 'x' } } } }),
      'in on.a',
    ],
    [
      'invoking an actor at the root',
      createMachine({ id: 'lamp', invoke: { src: 'x' }, on: { off: {} } }),
      'in lamp, it invokes',
    ],
    ['spawning', doing(spawnChild('x')), 'it uses xstate.spawnChild'],
    ['stopping actors', doing(stopChild('x')), 'it uses xstate.stopChild'],
    ['sending to actors', doing(sendTo('x', { type: 'y' })), 'it uses xstate.sendTo'],
    ['sending to a parent', doing(sendParent({ type: 'y' })), 'it uses xstate.sendTo'],
    [
      'sending through a named action',
      setup({ actions: { tell: sendTo('x', { type: 'y' }) } }).createMachine({ entry: 'tell' }),
      'it uses xstate.sendTo',
    ],
    ['an action that is a function', doing(() => undefined), 'give it a name'],
    [
      'an action without declared effects',
      doing('ring'),
      'the action ring has no entry in effects',
    ],
    [
      'an exit action without declared effects',
      machine({ exit: { type: 'ring', params: {} } }),
      'the action ring has no entry in effects',
    ],
    [
      'an action of a transition without declared effects',
      machine({ on: { off: { actions: 'ring' } } }),
      'the action ring',
    ],
    [
      'an action of an eventless transition without declared effects',
      machine({ always: { guard: () => false, actions: 'ring' } }),
      'ring',
    ],
    [
      'an action of a delay without declared effects',
      machine({ after: { 10: { actions: 'ring' } } }),
      'the action ring',
    ],
    [
      'an action of an initial transition without declared effects',
      machine({ initial: { target: 'a', actions: 'ring' }, states: { a: {} } }),
      'the action ring',
    ],
    ['a missing guard', guarded('dark'), 'the guard dark is not implemented'],
    [
      'a missing guard within another guard',
      guarded(and([not('dark'), stateIn('on')])),
      'the guard dark',
    ],
    ['a missing guard with parameters', guarded({ type: 'dark', params: {} }), 'the guard dark'],
    ['a missing delay', machine({ after: { later: 'on' } }), 'the delay later'],
    [
      'a missing delay of a raised event',
      doing(raise({ type: 'off' }, { delay: 'later' as never })),
      'the delay later',
    ],
    [
      'a timer whose name is too long',
      doing(raise({ type: 'off' }, { id: 'x'.repeat(201), delay: 5 })),
      'too long to name a timer',
    ],
    [
      'a state whose name is too long',
      createMachine({ initial: 'a', states: { a: { id: 'x'.repeat(200), after: { 10: {} } } } }),
      'too long to name a timer',
    ],
    [
      "an event type of Milepost's own",
      machine({ on: { 'timer.fired': 'on' } }),
      'is reserved for Milepost',
    ],
    ['a wildcard that matches nothing', machine({ on: { 'lamp.*': 'on' } }), 'that match lamp.*'],
  ])('is rejected for %s', (_, refused, message) => {
    expect(thrownBy(() => fromMachine(refused, { id: 'lamp' }))).toMatchObject({
      code: 'bad-model',
      message: expect.stringMatching(/^model "lamp": /),
    });
    expect(() => fromMachine(refused, { id: 'lamp' })).toThrow(message);
  });

  it.each<[what: string, options: MachineOptions<AnyStateMachine>, message: string]>([
    [
      'an event that it does not accept',
      { events: { melted: v.unknown() } },
      'events contains melted',
    ],
    [
      "an event type of Milepost's own",
      { events: { 'timer.fired': v.unknown() } },
      'is reserved for Milepost',
    ],
    ['an invalid version', { version: 0 }, 'the version'],
  ])('is rejected with %s in the options', (_, options, message) => {
    expect(() => fromMachine(machine({}), options)).toThrow(message);
  });

  it('is rejected if neither the machine nor the options have an id', () => {
    const unnamed = createMachine({ initial: 'on', states: { on: {} } });
    expect(() => fromMachine(unnamed)).toThrow(
      'the machine has no id; set `id` in the machine or in the options of fromMachine',
    );
    expect(fromMachine(unnamed, { id: 'lamp' }).id).toBe('lamp');
  });
});

describe('a supported state machine', () => {
  it.each<[what: string, taken: AnyStateMachine]>([
    ['internal actions', machine({ entry: [log('on'), cancel('x'), emit({ type: 'X' })] })],
    ['an action with declared effects', doing('ring')],
    ['guards that are functions', guarded(not(() => false))],
  ])('can have %s', (_, taken) => {
    expect(fromMachine(taken, { effects: { ring: () => notify('Rang') } }).id).toBe('lamp');
  });
});
