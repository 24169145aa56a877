/**
 * Builds models from state charts of XState 5.
 *
 * @module milepost/xstate
 */
export { fromMachine } from './from-machine.ts';
export type { MachineState } from './machine-state.ts';
export type { ActionArguments, ActionEffects, MachineOptions } from './options.ts';
