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

/** A machine in one state `on`, that is in no way special but for its parts. */
const machine = (parts: object): AnyStateMachine =>
  createMachine({ id: 'lamp', initial: 'on', states: { on: { on: { off: 'on' }, ...parts } } });
const doing = (action: unknown) => machine({ entry: [action] });
const guarded = (guard: unknown) => machine({ on: { off: { target: 'on', guard } } });

describe('a machine that is no model is refused', () => {
  it.each<[what: string, machine: AnyStateMachine, message: string]>([
    [
      'what invokes an actor',
      machine({ invoke: { id: 'charge', src: fromPromise(() => Promise.resolve()) } }),
      'in on, it invokes charge',
    ],
    [
      'what invokes deep down',
      machine({ initial: 'a', states: { a: { invoke: { src: 'x' } } } }),
      'in on.a',
    ],
    [
      'what invokes at the root',
      createMachine({ id: 'lamp', invoke: { src: 'x' }, on: { off: {} } }),
      'in lamp, it invokes',
    ],
    ['spawning', doing(spawnChild('x')), 'it uses xstate.spawnChild'],
    ['stopping actors', doing(stopChild('x')), 'it uses xstate.stopChild'],
    ['sending to actors', doing(sendTo('x', { type: 'y' })), 'it uses xstate.sendTo'],
    ['sending to a parent', doing(sendParent({ type: 'y' })), 'it uses xstate.sendTo'],
    [
      'sending under a name',
      setup({ actions: { tell: sendTo('x', { type: 'y' }) } }).createMachine({ entry: 'tell' }),
      'it uses xstate.sendTo',
    ],
    ['an action that is a function', doing(() => undefined), 'give it a name'],
    ['an action that nobody explains', doing('ring'), 'the action ring has no entry in effects'],
    [
      'one on leaving',
      machine({ exit: { type: 'ring', params: {} } }),
      'the action ring has no entry in effects',
    ],
    ['one on the way', machine({ on: { off: { actions: 'ring' } } }), 'the action ring'],
    ['one without an event', machine({ always: { guard: () => false, actions: 'ring' } }), 'ring'],
    ['one after a while', machine({ after: { 10: { actions: 'ring' } } }), 'the action ring'],
    [
      'one of a first state',
      machine({ initial: { target: 'a', actions: 'ring' }, states: { a: {} } }),
      'the action ring',
    ],
    ['a guard that is not there', guarded('dark'), 'the guard dark is not implemented'],
    ['one within others', guarded(and([not('dark'), stateIn('on')])), 'the guard dark'],
    ['one with parameters', guarded({ type: 'dark', params: {} }), 'the guard dark'],
    ['a delay that is not there', machine({ after: { later: 'on' } }), 'the delay later'],
    [
      'one of an event',
      doing(raise({ type: 'off' }, { delay: 'later' as never })),
      'the delay later',
    ],
    [
      'a timer with too long a name',
      doing(raise({ type: 'off' }, { id: 'x'.repeat(201), delay: 5 })),
      'too long to name a timer',
    ],
    [
      'a state with too long a name',
      createMachine({ initial: 'a', states: { a: { id: 'x'.repeat(200), after: { 10: {} } } } }),
      'too long to name a timer',
    ],
    ["Milepost's own event", machine({ on: { 'timer.fired': 'on' } }), 'is reserved for Milepost'],
    [
      'a wildcard that stands for nothing',
      machine({ on: { 'lamp.*': 'on' } }),
      'that match lamp.*',
    ],
  ])('%s', (_, refused, message) => {
    expect(thrownBy(() => fromMachine(refused, { id: 'lamp' }))).toMatchObject({
      code: 'bad-model',
      message: expect.stringMatching(/^model "lamp": /),
    });
    expect(() => fromMachine(refused, { id: 'lamp' })).toThrow(message);
  });

  it.each<[what: string, options: MachineOptions<AnyStateMachine>, message: string]>([
    ['an event that it does not take', { events: { melted: v.unknown() } }, 'events has melted'],
    [
      "Milepost's own event",
      { events: { 'timer.fired': v.unknown() } },
      'is reserved for Milepost',
    ],
    ['a bad version', { version: 0 }, 'the version'],
  ])('%s in the options', (_, options, message) => {
    expect(() => fromMachine(machine({}), options)).toThrow(message);
  });
});

describe('a machine is a model', () => {
  it.each<[what: string, taken: AnyStateMachine]>([
    [
      'with actions that stay within',
      machine({ entry: [log('on'), cancel('x'), emit({ type: 'X' })] }),
    ],
    ['with an action that effects names', doing('ring')],
    ['with guards that are functions', guarded(not(() => false))],
  ])('%s', (_, taken) => {
    expect(fromMachine(taken, { effects: { ring: () => notify('Rang') } }).id).toBe('lamp');
  });
});
