import { Deadline } from '../common/deadline.ts';
import { messageOf } from '../common/message-of.ts';
import { isPermanent, isRetryable, MilepostError } from '../core/errors.ts';
import type { Model } from '../core/model/model.ts';
import type { ModelDescription } from '../core/model/registry-entry.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import { fitIntoAnswer } from './answer-size.ts';
import { auditInstances } from './audit/audit-instances.ts';
import { foldUntil } from './audit/fold-until.ts';
import { rebuildInstances } from './audit/rebuild-instances.ts';
import type { StatusRows } from './audit/status-rows.ts';
import { faultOf } from './instance-work.ts';
import type {
  AuditAnswer,
  DeadlinesAnswer,
  EventOutcome,
  FoldUntilAnswer,
  ForgetAnswer,
  ModelAnswer,
  ModelRequest,
  TransitionRequest,
  UnavailableAnswer,
} from './protocol.ts';
import { readDeadlines } from './read-deadlines.ts';
import { isRemote } from './remote/model-function.ts';
import { forgetHistory } from './sealing/forget-history.ts';
import type { HistoryRewriter } from './sealing/history-rewriter.ts';
import { unsealEvents } from './sealing/sealed-events.ts';
import {
  noAnswer,
  type TransitionDependencies,
  type TransitionOptions,
  transition,
} from './transition.ts';

/** The dependencies of a model's Lambda function. */
export interface ModelDependencies extends TransitionDependencies {
  /** The keys for unsealing the data of parked events; undefined if nothing is sealed. */
  readonly dataKeys?: DataKeys;
  /** Removes personal data from stored commits; required if `dataKeys` is set. */
  readonly history?: HistoryRewriter;
  /** Reads and repairs status rows in audits and rebuilds. */
  readonly rows: StatusRows;
}

/** The time limits of one invocation of a model's Lambda function. */
export interface InvocationTime {
  /** When to stop starting work, in milliseconds since 1970. The stream redelivers the remaining events. */
  readonly until?: number;
  /** When the response is due, before Lambda stops the invocation. */
  readonly answerBy?: Deadline;
}

/**
 * Handles a request to a model's Lambda function. A request can apply events; rebuild, audit, fold, or forget
 * instances; compute the timelines of deadlines; or describe the model.
 *
 * @param time the time limits. Default: none.
 * @throws MilepostError `bad-request` for any other request, and for a request to forget if the model has no sensitive
 *   fields.
 */
export async function handleModelRequest(
  dependencies: ModelDependencies,
  request: ModelRequest,
  { until, answerBy = Deadline.none(dependencies.clock) }: InvocationTime = {},
): Promise<
  | ModelAnswer
  | AuditAnswer
  | FoldUntilAnswer
  | DeadlinesAnswer
  | ForgetAnswer
  | UnavailableAnswer
  | ModelDescription
> {
  const { model } = dependencies;
  switch (request?.op) {
    case 'transition': {
      const outcomes = await applyTransition(dependencies, request, {
        ...request,
        until,
        answerBy,
      });
      return { outcomes: fitIntoAnswer(outcomes) };
    }
    case 'rebuild': {
      const { events } = request;
      const outcomes = await answerBy.race(rebuildInstances(dependencies, events, until));
      return {
        outcomes: outcomes === 'late' ? events.map(() => noAnswer) : fitIntoAnswer(outcomes),
      };
    }
    case 'audit':
      return answerInTime(answerBy, async () => ({
        audits: await auditInstances(dependencies, request, until),
      }));
    case 'fold-until':
      return answerInTime(answerBy, () => foldUntil(dependencies, request, until));
    case 'deadlines':
      return answerInTime(answerBy, () => readDeadlines(dependencies, request));
    case 'forget': {
      const { dataKeys, history } = dependencies;
      if (!dataKeys || !history)
        throw new MilepostError('bad-request', `model ${model.id} has no sensitive fields`);
      return answerInTime(answerBy, () =>
        forgetHistory({ ...dependencies, dataKeys, history }, request, until),
      );
    }
    case 'describe':
      return describeModel(isRemote(model) ? await model.describe() : model);
    default:
      throw new MilepostError(
        'bad-request',
        '"op" must be transition, describe, rebuild, audit, fold-until, deadlines, or forget',
      );
  }
}

/**
 * Waits until the deadline for the response to a request from the API. The response is an `UnavailableAnswer` if the
 * deadline passes first or the work fails because of AWS. If the function instead timed out or threw an error, the API
 * could not tell an outage from a model fault.
 */
async function answerInTime<Answer>(
  answerBy: Deadline,
  work: () => Promise<Answer>,
): Promise<Answer | UnavailableAnswer> {
  try {
    const answer = await answerBy.race(work());
    return answer === 'late' ? { unavailable: noAnswer.reason } : answer;
  } catch (error) {
    const isFault = error instanceof MilepostError && !isRetryable(error);
    if (isFault || isPermanent(error)) throw error;
    return { unavailable: messageOf(error) };
  }
}

/**
 * Applies events. Parked events are unsealed first. If an event cannot be unsealed, neither this event nor the events
 * after it are applied.
 */
async function applyTransition(
  dependencies: ModelDependencies,
  { events, resume }: TransitionRequest,
  options: TransitionOptions & Required<Pick<TransitionOptions, 'answerBy'>>,
): Promise<EventOutcome[]> {
  const { dataKeys } = dependencies;
  if (!resume || !dataKeys) return transition(dependencies, events, options);
  const opened = await options.answerBy.race(unsealEvents(dataKeys, events));
  if (opened === 'late') return events.map(() => noAnswer);
  const end = opened.findIndex((each) => 'error' in each);
  const readable = opened.slice(0, end === -1 ? undefined : end);
  const outcomes = await transition(
    dependencies,
    readable.flatMap((each) => ('value' in each ? each.value : [])),
    options,
  );
  const failure = opened[end];
  if (!failure || !('error' in failure)) return outcomes;
  const { error } = failure;
  const failed = { outcome: 'failed', fault: faultOf(error), reason: messageOf(error) } as const;
  const behind = events.slice(end + 1).map(() => ({ outcome: 'behind' }) as const);
  return [...outcomes, failed, ...behind];
}

function describeModel(model: Model): ModelDescription {
  const { id, version, title, statuses, milestones, events, sensitive, diagram, labels } = model;
  const eventTypes = Object.keys(events);
  return {
    id,
    version,
    title,
    statuses: [...statuses],
    milestones: [...milestones],
    eventTypes,
    ...(sensitive ? { sensitive: true } : {}),
    ...(labels ? { labels } : {}),
    ...(diagram ? { diagram: { nodes: [...diagram.nodes], edges: [...diagram.edges] } } : {}),
  };
}
