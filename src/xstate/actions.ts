import type { AnyStateMachine, EventObject, ExecutableActionObject } from 'xstate';
import { cancelTimer, type Effect, notify, startTimer } from '../core/effects/effect.ts';
import { tokenOf } from '../core/event/token.ts';
import type { JsonObject } from '../core/json/json.ts';
import { callModel } from '../core/model/model-fault.ts';
import { after } from '../core/time/duration.ts';
import { isDelay, isXStates } from './nodes.ts';
import type { ActionArguments, Cause, MachineOptions } from './options.ts';

/** Events raised with a delay, by the name of the timer that runs for each. */
export type DelayedEvents = ReadonlyMap<string, EventObject>;

/** What the actions of one step come to. */
export interface ActionResult {
  readonly effects: readonly Effect[];
  readonly delayed: DelayedEvents;
}

/**
 * What the actions that a transition gave come to, in order. An event raised under a name by which
 * one waits already takes its place; an actor of XState delivers both, and can cancel only one.
 *
 * @param delayed the events that were delayed before.
 * @param purpose tells apart steps with one cause.
 * @throws Error for an action that only a running actor could do.
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
        // One without a delay was taken within the step.
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
        // The history tells what happened, and folding it again must not say it again.
        return [];
      default: {
        const own =
          isXStates(type) || !Object.hasOwn(ownEffects, type) ? undefined : ownEffects[type];
        if (!own) throw new Error(`the action ${type} cannot be done: effects does not name it`);
        const { context, event } = info;
        return callModel(`the effects of ${type}`, () =>
          own({ context, event, cause } as ActionArguments<Machine>, params),
        );
      }
    }
  });
  return { effects, delayed: waiting };
}

/** The same for a machine that is done: nothing waits any more. */
export function cancelDelays({ effects, delayed }: ActionResult): ActionResult {
  return { effects: [...effects, ...[...delayed.keys()].map(cancelTimer)], delayed: new Map() };
}

interface Raise {
  readonly id?: string;
  readonly event: EventObject;
  /** In milliseconds. */
  readonly delay?: number;
}

/** A delay that is negative is over at once. */
const dueAt = (time: string, delay: number) =>
  after(time, `PT${(Math.max(delay, 0) / 1000).toFixed(3)}S`);
