import type { AnyStateMachine, EventObject, ExecutableActionObject } from 'xstate';
import { cancelTimer, type Effect, notify, startTimer } from '../core/effects/effect.ts';
import { tokenOf } from '../core/event/token.ts';
import type { JsonObject } from '../core/json/json.ts';
import { callModel } from '../core/model/model-fault.ts';
import { after } from '../core/time/duration.ts';
import type { DelayedEvents } from './machine-state.ts';
import { isDelay, isXStates } from './nodes.ts';
import type { ActionArguments, Cause, MachineOptions } from './options.ts';

/** The result of one step's actions. */
export interface ActionResult {
  readonly effects: readonly Effect[];
  readonly delayed: DelayedEvents;
}

/**
 * Evaluates a transition's actions in order. A raised event replaces a delayed event with the same name. An XState
 * actor would deliver both events and could cancel only one of them.
 *
 * @param delayed the delayed events before the step.
 * @param purpose distinguishes several steps with the same cause.
 * @throws Error for an action that is neither supported nor listed in `effects`; an error that `toModelFault` converts
 *   if the effects cannot be computed.
 */
export function resultOfActions<Machine extends AnyStateMachine>(
  actions: readonly ExecutableActionObject[],
  delayed: DelayedEvents,
  cause: Cause,
  purpose: string,
  { effects: ownEffects = {} }: MachineOptions<Machine>,
): ActionResult {
  const waiting = new Map(delayed);
  const effects = actions.flatMap(({ type, info, params }, index): Effect | readonly Effect[] => {
    switch (type) {
      case 'xstate.raise': {
        const { id, event, delay } = params as Raise;
        // An event without a delay was already handled within the step.
        if (delay === undefined) return [];
        const name = id ?? `${event.type}/${tokenOf(cause, `${purpose}/${index}`)}`;
        if (!isDelay(name)) waiting.set(name, event);
        return startTimer(name, dueAt(cause.time, delay));
      }
      case 'xstate.cancel': {
        const { sendId } = params as { readonly sendId: string };
        waiting.delete(sendId);
        return cancelTimer(sendId);
      }
      case 'xstate.emit': {
        const { type, ...data } = (params as { readonly event: JsonObject }).event;
        return notify(type as string, data);
      }
      case 'xstate.log':
        // The history already records what happened, and a later fold must not repeat the log lines.
        return [];
      default: {
        const own =
          isXStates(type) || !Object.hasOwn(ownEffects, type) ? undefined : ownEffects[type];
        if (!own) throw new Error(`the action ${type} has no entry in effects`);
        const { context, event } = info;
        return callModel(`the effects of ${type}`, () =>
          own({ context, event, cause } as ActionArguments<Machine>, params),
        );
      }
    }
  });
  return { effects, delayed: waiting };
}

/** Cancels all delayed events because the machine is done. */
export function cancelDelays({ effects, delayed }: ActionResult): ActionResult {
  return { effects: [...effects, ...[...delayed.keys()].map(cancelTimer)], delayed: new Map() };
}

interface Raise {
  readonly id?: string;
  readonly event: EventObject;
  /** The delay in milliseconds; undefined to handle the event within the step. */
  readonly delay?: number;
}

/** Returns when a delay expires. A negative delay counts as 0. */
const dueAt = (time: string, delay: number) =>
  after(time, `PT${(Math.max(delay, 0) / 1000).toFixed(3)}S`);
