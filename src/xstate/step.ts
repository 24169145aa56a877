import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventObject,
  initialTransition,
  transition,
} from 'xstate';
import { timerFiredType } from '../core/effects/timer.ts';
import type { TrackedEvent } from '../core/event/event.ts';
import { accept, type Decision, reject } from '../core/model/model.ts';
import { callModel } from '../core/model/model-fault.ts';
import { cancelDelays, resultOfActions } from './actions.ts';
import { withGuardFaults } from './guards.ts';
import {
  type DelayedEvents,
  type MachineState,
  persistSnapshot,
  snapshotRestorer,
} from './machine-state.ts';
import type { Cause, MachineOptions } from './options.ts';
import { describePosition } from './statuses.ts';

/**
 * The maximum number of transitions in one step, unless the machine's `options.maxIterations` sets another. By default,
 * XState sets no limit, so a machine with endless `always` transitions would run until the function's timeout.
 */
const maxIterations = 1_000;

/** Creates the functions that compute a machine's initial state and its state after an event. */
export function createSteps<Machine extends AnyStateMachine>(
  machine: Machine,
  options: MachineOptions<Machine>,
) {
  type State = MachineState<ContextFrom<Machine>>;
  const { machine: plain, run } = withGuardFaults(machine);
  plain.options = { maxIterations, ...machine.config.options };
  const restore = snapshotRestorer(plain);
  return {
    initial(event: TrackedEvent): State {
      const input = callModel('input', () => options.input?.(event));
      const [snapshot, actions] = run(() => {
        const initial = initialTransition(plain, input);
        // XState stores an error thrown by the machine's code in the snapshot instead of throwing it.
        if (initial[0].status === 'error') throw initial[0].error;
        return initial;
      });
      refuseActors(snapshot);
      const { effects, delayed } = resultOfActions(actions, new Map(), event, 'initial', options);
      // A rejected event has no effects, so the effects of the initial state run when the first event is accepted.
      return persistSnapshot(snapshot, delayed, effects);
    },

    transition(cause: Cause, state: State): Decision<State> {
      const where = describePosition(plain, state.value);
      if (state.status === 'done') return reject(`the machine is done, in state ${where}`);
      const { event, waiting, wasWaiting } = happened(cause, state);
      const before = restore(state);
      if (!run(() => before.can(event)))
        return wasWaiting
          ? accept(persistSnapshot(before, waiting))
          : reject(`the machine does not accept ${event.type} in state ${where}`);
      const [after, actions] = run(() => transition(plain, before, event));
      refuseActors(after);
      const outcome = resultOfActions(actions, waiting, cause, 'step', options);
      const { effects, delayed } = after.status === 'done' ? cancelDelays(outcome) : outcome;
      return accept(persistSnapshot(after, delayed), ...(state.starting ?? []), ...effects);
    },
  };
}

/** Returns the event for the machine and the events that are still delayed after it. */
function happened(cause: Cause, { delayed = {} }: MachineState) {
  const waiting = new Map(Object.entries(delayed));
  if (cause.type !== timerFiredType)
    return { event: cause as EventObject, waiting: waiting as DelayedEvents, wasWaiting: false };
  const { name } = cause.data as { readonly name: string };
  // The timer for a state's delay is named after the type of the resulting event.
  const event = { time: cause.time, ...(waiting.get(name) ?? { type: name }) };
  return { event, wasWaiting: waiting.delete(name), waiting: waiting as DelayedEvents };
}

function refuseActors({ children, machine }: AnyMachineSnapshot): void {
  const [child] = Object.keys(children as object);
  if (child !== undefined)
    throw new Error(`the machine ${machine.id} spawned ${child}, but a model has no actors`);
}
