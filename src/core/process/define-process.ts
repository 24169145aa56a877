import * as v from 'valibot';
import { messageOf } from '../../common/message-of.ts';
import { timerFired, timerFiredType } from '../effects/timer.ts';
import { MilepostError } from '../errors.ts';
import { checkDescription } from '../model/check-description.ts';
import type { Description, MilestoneProgress } from '../model/description.ts';
import { defineModel, type EventSchemas, type Model } from '../model/model.ts';
import {
  checkDeclaration,
  milestoneReachedType,
  type ProcessDeclaration,
  type ProcessMilestone,
} from './declaration.ts';
import { processDiagram } from './diagram.ts';
import { expectedBy, furthest, isDone, isLate, type ProcessState, reachedAt } from './state.ts';
import { cancelledStatus, openStatus } from './statuses.ts';
import { titleOf } from './title.ts';
import { processTransition } from './transition.ts';

/**
 * Builds a model from a list of milestones, for processes that need no code of their own:
 *
 * - An event reaches its milestone. Milestones can be reached in any order, each once.
 * - The status is the label of the furthest milestone reached, or `Open` if none is reached.
 * - The process is done when the last milestone that is not optional is reached, or when the event
 *   `cancelOn` arrives. In the latter case the status is `Cancelled` and all further events are rejected.
 * - A milestone is late if it is not reached within its expected time after the first event.
 *
 * The result is an ordinary model. To validate the data of events, for example, pass it to `defineModel` with
 * other `events`.
 *
 * @param declared the process's id, its milestones and its options.
 * @returns the model, for `serve`.
 * @throws MilepostError `bad-model` with every mistake.
 *
 * @example
 * export const order = defineProcess({
 *   id: 'order',
 *   milestones: [
 *     { id: 'paid', label: 'Paid', on: 'payment.received', expectedWithin: 'PT1H' },
 *     { id: 'shipped', label: 'Shipped', on: 'order.shipped', expectedWithin: 'P2D' },
 *     { id: 'rated', label: 'Rated', on: 'order.rated', optional: true },
 *   ],
 *   cancelOn: 'order.cancelled',
 * });
 */
export function defineProcess(declared: ProcessDeclaration): Model<ProcessState> {
  const process = checkDeclaration(declared);
  const { id, title = titleOf(id), version = 1, milestones, cancelOn } = process;
  const model = defineModel<ProcessState, EventSchemas>({
    id,
    title,
    version,
    statuses: [
      openStatus,
      ...milestones.map(({ label }) => label),
      ...(cancelOn === undefined ? [] : [cancelledStatus]),
    ],
    milestones: milestones.map(({ id, label, optional }) => ({
      id,
      label,
      ...(optional ? { optional } : {}),
    })),
    events: eventsOf(process),
    diagram: processDiagram(process),
    initial: (event) => ({ started_at: event.time, reached: {} }),
    transition: (event, state) => processTransition(process, event, state),
    describe: (state) => describe(process, state),
    ...(process.migrate && {
      migrate: (state, from) => process.migrate!(state as ProcessState, from),
    }),
  });
  checkDescriptionSize(model);
  return model;
}

function eventsOf({ milestones, cancelOn }: ProcessDeclaration): EventSchemas {
  const types = milestones.map(({ on = milestoneReachedType }) => on);
  const shared = milestones.filter(({ on = milestoneReachedType }) => on === milestoneReachedType);
  const named = v.object({ milestone: v.picklist(shared.map(({ id }) => id)) });
  const mayBeLate = milestones.some(({ expectedWithin }) => expectedWithin !== undefined);
  return {
    ...Object.fromEntries(
      types.map((type) => [type, type === milestoneReachedType ? named : v.unknown()]),
    ),
    ...(cancelOn === undefined ? {} : { [cancelOn]: v.unknown() }),
    ...(mayBeLate ? { [timerFiredType]: timerFired } : {}),
  };
}

function describe(process: ProcessDeclaration, state: ProcessState): Description {
  const status = process.milestones[furthest(process, state)]?.label ?? openStatus;
  return {
    status: state.cancelled ? cancelledStatus : status,
    done: isDone(process, state),
    milestones: process.milestones.map((milestone) => progress(state, milestone)),
  };
}

function progress(state: ProcessState, milestone: ProcessMilestone): MilestoneProgress {
  const at = reachedAt(state, milestone);
  const due = expectedBy(state, milestone);
  return {
    id: milestone.id,
    ...(at === undefined ? {} : { at }),
    ...(due === undefined ? {} : { expectedBy: due }),
    ...(isLate(state, milestone) ? { late: true } : {}),
  };
}

/** Checks the size of the largest possible description: the description with every milestone reached. */
function checkDescriptionSize(model: Model<ProcessState>): void {
  const time = '2026-01-01T00:00:00.123456789Z';
  const reached = Object.fromEntries(model.milestones.map(({ id }) => [id, time]));
  try {
    checkDescription(model, model.describe({ started_at: time, reached }));
  } catch (cause) {
    const wrong = `there are too many milestones: ${messageOf(cause)}`;
    throw new MilepostError('bad-model', `process ${JSON.stringify(model.id)}: ${wrong}`, {
      cause,
    });
  }
}
