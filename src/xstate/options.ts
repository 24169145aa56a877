import type { AnyStateMachine, ContextFrom, EventFromLogic, InputFrom } from 'xstate';
import type { Effect } from '../core/effects/effect.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import type { EventOf, EventSchemas } from '../core/model/model.ts';
import type { MachineState } from './machine-state.ts';

/** An event of the instance, its data as its schema gave it. */
export type Cause = EventOf<EventSchemas>;

/** What an action of a machine may know. */
export interface ActionArguments<Machine extends AnyStateMachine> {
  /** The machine's context when the action was asked for. */
  readonly context: ContextFrom<Machine>;
  /** What the machine reacts to: it may be a delay, or an event that the machine raised. */
  readonly event: EventFromLogic<Machine>;
  /** The event of the instance that led to it; it names the instance. */
  readonly cause: Cause;
}

/**
 * What an action of a machine comes to; `params` are those that the machine gives it.
 *
 * @param args the machine's context, its event and the instance's event.
 * @param params the parameters of the action in the machine.
 * @returns The effects.
 */
export type ActionEffects<Machine extends AnyStateMachine> = (
  args: ActionArguments<Machine>,
  params: unknown,
) => Effect | readonly Effect[];

/** What a model needs to know beside its machine. */
export interface MachineOptions<Machine extends AnyStateMachine> {
  /** 1 to 64 of `a-z`, `0-9` and `-`; the machine's id where left out. */
  readonly id?: string;
  /** Its name for people; the id in words where left out. */
  readonly title?: string;
  /** A whole number from 1. */
  readonly version?: number;
  /**
   * The data of the machine's events, by type: zod, valibot or any Standard Schema. Where left out,
   * it may be any object. A type that only a wildcard of the machine takes has to be named here.
   */
  readonly events?: EventSchemas;
  /** What the machine's actions do to the world, by the action's name: data, done after the commit. */
  readonly effects?: Readonly<Record<string, ActionEffects<Machine>>>;
  /**
   * The machine's input, from the instance's first event.
   *
   * @param event the first event.
   * @returns The input.
   */
  input?(event: TrackedEvent): InputFrom<Machine>;
  /**
   * Takes over the state that a machine of another version left, as a model's `migrate` does: its value
   * has to be a state of this machine, and its context as this machine has it, which it may not be yet.
   * Delays that wait go on.
   *
   * @param state the state that the other version left.
   * @param from the number of that version.
   * @returns The state as this machine needs it.
   */
  migrate?(
    state: MachineState<ContextFrom<Machine>>,
    from: number,
  ): MachineState<ContextFrom<Machine>>;
}
