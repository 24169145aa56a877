import * as v from 'valibot';
import { messageOf } from '../../common/message-of.ts';
import { timerFired, timerFiredType } from '../effects/timer.ts';
import { MilepostError } from '../errors.ts';
import { checkDescription } from '../model/check-description.ts';
import { defineModel } from '../model/define-model.ts';
import type { Description } from '../model/description.ts';
import type { EventSchemas, Model } from '../model/model.ts';
import { maximumReferenceLength } from '../model/reference.ts';
import { checkDeclaration } from './check-declaration.ts';
import { deadlineOf, milestoneReachedType, type ProcessDeclaration } from './declaration.ts';
import { processDiagram } from './diagram.ts';
import { extensionData } from './extensions.ts';
import { pausePairs } from './pause-events.ts';
import { factsOfDeadlines, progressOfMilestones } from './progress.ts';
import { furthest, isDone } from './reached-milestones.ts';
import { referenceIn } from './reference.ts';
import type { ProcessState } from './state.ts';
import { cancelledStatus, openStatus } from './statuses.ts';
import { titleOf } from './title.ts';
import { processTransition } from './transition.ts';

/**
 * Builds a model from a list of milestones, for a process that needs no code:
 *
 * - An event reaches its milestone. Milestones can be reached in any order. If several events reach one milestone, the
 *   earliest event time counts.
 * - The status is the label of the furthest milestone reached, or `Open` if none is reached.
 * - The process is done when the last required milestone in the list is reached, even if earlier milestones are not, or
 *   when the `cancelOn` event arrives. After `cancelOn`, the status is `Cancelled` and all later events are rejected.
 * - A milestone is late if it is not reached by its deadline.
 *
 * The result is an ordinary model. To validate events' data, for example, pass it to `defineModel` with other `events`.
 *
 * @param declared the process's id, milestones, and options.
 * @returns the model to pass to `serve`.
 * @throws MilepostError `bad-model` if the declaration is invalid; the message lists the mistakes.
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
  const { id, title = titleOf(id), version = 1, milestones, cancelOn, labels } = process;
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
    ...(labels && { labels }),
    initial: (event) => ({ started_at: event.time, reached: {} }),
    transition: (event, state, { recordedAt }) =>
      processTransition(process, event, state, recordedAt),
    describe: (state) => describe(process, state),
    ...(milestones.some(deadlineOf) && {
      deadlines: (state: ProcessState) => factsOfDeadlines(process, state),
    }),
    ...(process.migrate && {
      migrate: (state, from) => process.migrate!(state as ProcessState, from),
    }),
  });
  checkDescriptionSize(model, process);
  return model;
}

function eventsOf(process: ProcessDeclaration): EventSchemas {
  const { milestones, cancelOn, extendOn } = process;
  const types = milestones.map(({ on = milestoneReachedType }) => on);
  const shared = milestones.filter(({ on = milestoneReachedType }) => on === milestoneReachedType);
  // Allow other members because the process may keep data from the event.
  const named = v.looseObject({ milestone: v.picklist(shared.map(({ id }) => id)) });
  const pausing = pausePairs(process).flatMap(({ from, until }) => [from, until]);
  return {
    ...Object.fromEntries(
      types.map((type) => [type, type === milestoneReachedType ? named : v.unknown()]),
    ),
    ...(cancelOn === undefined ? {} : { [cancelOn]: v.unknown() }),
    ...(extendOn === undefined ? {} : { [extendOn]: extensionData(process) }),
    ...Object.fromEntries(pausing.map((type) => [type, v.unknown()])),
    ...(milestones.some(deadlineOf) ? { [timerFiredType]: timerFired } : {}),
  };
}

function describe(process: ProcessDeclaration, state: ProcessState): Description {
  const status = process.milestones[furthest(process, state)]?.label ?? openStatus;
  return {
    status: state.cancelled ? cancelledStatus : status,
    done: isDone(process, state),
    milestones: progressOfMilestones(process, state),
    ...referenceIn(process, state),
  };
}

/** A character of four bytes, which is the maximum in UTF-8. */
const largestCharacter = '\u{10FFFF}';

/**
 * Checks the size of the largest possible description: every milestone is reached or at risk, and the status and the
 * reference are as long as possible.
 */
function checkDescriptionSize(model: Model<ProcessState>, process: ProcessDeclaration): void {
  const time = '2026-01-01T00:00:00.123456789Z';
  const milestones = process.milestones.map((milestone) => {
    const deadline = deadlineOf(milestone);
    const { id } = milestone;
    if (!deadline) return { id, at: time };
    if (deadline.warnAt === undefined) return { id, at: time, expectedBy: time };
    return { id, expectedBy: time, atRiskAt: time, atRisk: true };
  });
  try {
    checkDescription(model, {
      status: model.statuses.toSorted((a, b) => jsonBytes(b) - jsonBytes(a))[0]!,
      done: false,
      milestones,
      ...(process.reference !== undefined && {
        reference: largestCharacter.repeat(maximumReferenceLength),
      }),
    });
  } catch (cause) {
    const wrong = `there are too many milestones: ${messageOf(cause)}`;
    throw new MilepostError('bad-model', `process ${JSON.stringify(model.id)}: ${wrong}`, {
      cause,
    });
  }
}

const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text));
