/**
 * Builds models from XState 5 state machines.
 *
 * @module milepost/xstate
 */
export { fromMachine } from './from-machine.ts';
export type { MachineState } from './machine-state.ts';
export type { ActionArguments, ActionEffects, MachineOptions } from './options.ts';
