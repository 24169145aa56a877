import type { AnyStateMachine, ContextFrom } from 'xstate';
import { MilepostError } from '../core/errors.ts';
import { defineModel, type EventSchemas, type Model } from '../core/model/model.ts';
import { titleOf } from '../core/process/title.ts';
import { machineViolation } from './check-machine.ts';
import { machineDiagram } from './diagram.ts';
import { eventSchemasOf, eventsViolation } from './event-schemas.ts';
import type { MachineState } from './machine-state.ts';
import type { MachineOptions } from './options.ts';
import { statusesOf, statusOf } from './statuses.ts';
import { createSteps } from './step.ts';

/**
 * A model from an XState 5 machine:
 *
 * - the machine sees the instance's events as they are: `{ type, data, time, id, source, ... }`;
 *   one that it does not take in the state in which it is, is rejected;
 * - the status is the path of the state, `paid.shipping`; it is done in a final state;
 * - `after`, and `raise` with a delay, are timers, counted from the event's time; the event that a
 *   delay becomes has the `time` at which it was due;
 * - `emit` publishes a notification with the event's type, and other actions do what `effects` says;
 * - there are no actors: `invoke`, `spawn` and `sendTo` are refused.
 *
 * The instance's state is the machine's persisted snapshot, and its context has to be JSON.
 *
 * @param machine the XState 5 machine.
 * @param options the model's id, title, event schemas and effects.
 * @returns The model, for `serve`.
 * @throws MilepostError `bad-model` with what is wrong.
 * @see https://stately.ai/docs/pure-transitions
 *
 * @example
 * import { createMachine } from 'xstate';
 *
 * const machine = createMachine({
 *   id: 'order',
 *   initial: 'open',
 *   states: {
 *     open: { on: { 'order.paid': 'paid' }, after: { 86_400_000: 'expired' } },
 *     paid: { type: 'final' },
 *     expired: { type: 'final' },
 *   },
 * });
 *
 * export const order = fromMachine(machine);
 */
export function fromMachine<Machine extends AnyStateMachine>(
  machine: Machine,
  options: MachineOptions<Machine> = {},
): Model<MachineState<ContextFrom<Machine>>> {
  const { id = machine.id, title = titleOf(id), version = 1, effects = {}, events } = options;
  const wrong =
    machineViolation(machine, new Set(Object.keys(effects))) ?? eventsViolation(machine, events);
  if (wrong !== undefined)
    throw new MilepostError('bad-model', `model ${JSON.stringify(id)}: ${wrong}`);
  const machineSteps = createSteps(machine, options);
  return defineModel<MachineState<ContextFrom<Machine>>, EventSchemas>({
    id,
    title,
    version,
    statuses: statusesOf(machine),
    events: eventSchemasOf(machine, events),
    diagram: machineDiagram(machine),
    initial: (event) => machineSteps.initial(event),
    transition: (event, state) => machineSteps.transition(event, state),
    describe: ({ value, status }) => ({
      status: statusOf(machine, value),
      done: status === 'done',
    }),
    ...(options.migrate && {
      migrate: (state, from) => options.migrate!(state as MachineState<ContextFrom<Machine>>, from),
    }),
  });
}
