import type { AnyStateMachine, ContextFrom } from 'xstate';
import { MilepostError } from '../core/errors.ts';
import { defineModel } from '../core/model/define-model.ts';
import type { EventSchemas, Model } from '../core/model/model.ts';
import { titleOf } from '../core/process/title.ts';
import { machineViolation } from './check-machine.ts';
import { machineDiagram } from './diagram.ts';
import { eventSchemasOf, eventsViolation } from './event-schemas.ts';
import type { MachineState } from './machine-state.ts';
import type { MachineOptions } from './options.ts';
import { statusesOf, statusOf } from './statuses.ts';
import { createSteps } from './step.ts';

/**
 * Builds a model from an XState 5 machine:
 *
 * - The machine receives the instance's events unchanged: `{ type, data, time, id, source, ... }`. An event that it
 *   does not accept in its current state is rejected.
 * - The status is the path of the state, such as `paid.shipping`. The instance is done in a final state.
 * - `after` and a `raise` with a delay become timers that start at the event's time. The `time` of the resulting event
 *   is the due time.
 * - `emit` publishes a notification with the type of the emitted event. Other actions have the effects declared in
 *   `effects`.
 * - Actors are not supported: a machine with `invoke`, `spawnChild`, or `sendTo` is rejected, and `spawn` is a model
 *   fault.
 *
 * The instance's state is the machine's persisted snapshot with its delayed events. The machine's context must be JSON.
 *
 * @param machine the XState 5 machine.
 * @param options the model's id, title, event schemas, and effects.
 * @returns the model to pass to `serve`.
 * @throws MilepostError `bad-model` with the mistake.
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
  if (options.id === undefined && machine.config.id === undefined)
    throw new MilepostError(
      'bad-model',
      'the machine has no id; set `id` in the machine or in the options of fromMachine',
    );
  const wrong =
    machineViolation(machine, new Set(Object.keys(effects))) ?? eventsViolation(machine, events);
  if (wrong !== undefined)
    throw new MilepostError('bad-model', `model ${JSON.stringify(id)}: ${wrong}`);
  return defineModel<MachineState<ContextFrom<Machine>>, EventSchemas>({
    id,
    title,
    version,
    statuses: statusesOf(machine),
    events: eventSchemasOf(machine, events),
    diagram: machineDiagram(machine),
    ...createSteps(machine, options),
    describe: ({ value, status }) => ({
      status: statusOf(machine, value),
      done: status === 'done',
    }),
    ...(options.migrate && {
      migrate: (state, from) => options.migrate!(state as MachineState<ContextFrom<Machine>>, from),
    }),
  });
}
