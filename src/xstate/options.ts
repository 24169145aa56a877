import type { AnyStateMachine, ContextFrom, EventFromLogic, InputFrom } from 'xstate';
import type { Effect } from '../core/effects/effect.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import type { EventOf, EventSchemas } from '../core/model/model.ts';
import type { MachineState } from './machine-state.ts';

/** One of the instance's events, with the data that its schema returned. */
export type Cause = EventOf<EventSchemas>;

/** The arguments of a function that declares an action's effects. */
export interface ActionArguments<Machine extends AnyStateMachine> {
  /** The machine's context when the action was requested. */
  readonly context: ContextFrom<Machine>;
  /**
   * The event that the machine handles: one of the instance's events, an expired delay, or an event that the machine
   * raised.
   */
  readonly event: EventFromLogic<Machine>;
  /** The instance's event that caused the step. The event contains the instance's model and transaction id. */
  readonly cause: Cause;
}

/**
 * Returns the effects of one of the machine's actions.
 *
 * @param args the machine's context, its event, and the instance's event.
 * @param params the action's parameters in the machine.
 * @returns the effects.
 */
export type ActionEffects<Machine extends AnyStateMachine> = (
  args: ActionArguments<Machine>,
  params: unknown,
) => Effect | readonly Effect[];

/** Options for a model built from a machine. */
export interface MachineOptions<Machine extends AnyStateMachine> {
  /** The model's id: 1 to 64 characters from `a-z`, `0-9`, and `-`. Default: the machine's id. */
  readonly id?: string | undefined;
  /** The display name. Default: derived from the id. */
  readonly title?: string | undefined;
  /** The model's version, an integer of at least 1. Default: 1. */
  readonly version?: number | undefined;
  /**
   * The data schemas of the machine's events, by type: zod, valibot, or any other Standard Schema. Default: any object.
   * A type that only a wildcard in the machine matches must be listed.
   */
  readonly events?: EventSchemas | undefined;
  /** The effects of the machine's actions, by action name. Effects are data and run after the commit. */
  readonly effects?: Readonly<Record<string, ActionEffects<Machine>>> | undefined;
  /**
   * Derives the machine's input from the instance's first event.
   *
   * @param event the first event.
   * @returns the input.
   */
  input?(event: TrackedEvent): InputFrom<Machine>;
  /**
   * Converts the state that a machine of another version stored, like a model's `migrate`. The returned value must be a
   * state of this machine, with a context of this machine's type. The context that `migrate` receives can have a
   * different type. Delayed events remain scheduled.
   *
   * @param state the state that the other version stored.
   * @param from the number of the other version.
   * @returns the state for this machine.
   */
  migrate?(
    state: MachineState<ContextFrom<Machine>>,
    from: number,
  ): MachineState<ContextFrom<Machine>>;
}
