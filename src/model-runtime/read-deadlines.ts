import { deadlineTimeline } from '../core/deadline/deadline-timeline.ts';
import type { Commit } from '../core/history/commit.ts';
import { loadSnapshot } from '../core/history/migrate.ts';
import { storedReason } from '../core/history/reason.ts';
import { parseJson } from '../core/json/parse-json.ts';
import type { Model } from '../core/model/model.ts';
import { callModel, ModelFault, toModelFault } from '../core/model/model-fault.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { DeadlinesAnswer, DeadlinesRequest } from './protocol.ts';
import { isRemote, type ModelFunction } from './remote/model-function.ts';

/**
 * Computes the timelines of an instance's deadlines. There is no timeline for a milestone without a deadline, for a
 * milestone that was not reached before the process was done, or for a model without `deadlines`.
 *
 * @returns the timelines, or the reason that the model's code failed. The reason is returned, not thrown, because it
 *   can quote the state, and Lambda logs errors that a handler throws.
 * @throws Error if storage fails.
 */
export async function readDeadlines(
  { model, store }: { readonly model: Model | ModelFunction; readonly store: InstanceStore },
  { transaction, now }: DeadlinesRequest,
): Promise<DeadlinesAnswer> {
  // The protocol of model functions in other languages does not include the facts of deadlines.
  if (isRemote(model) || !model.deadlines) return { deadlines: {} };
  const [found] = await store.readConsistent([{ model: model.id, transaction }]);
  if ('error' in found!) throw found.error;
  const { commit } = found!.value;
  if (!commit || commit.startedAt === null) return { deadlines: {} };
  try {
    return { deadlines: deadlineTimelines(model, commit, now) };
  } catch (error) {
    const isFault = error instanceof ModelFault;
    const fault = isFault ? error : toModelFault(model, 'to compute the deadlines', error);
    return { failure: storedReason(fault.message) };
  }
}

function deadlineTimelines(model: Model, commit: Commit, now: string) {
  const { json, description } = loadSnapshot(model, commit);
  const progress = new Map(description.milestones?.map((each) => [each.id, each]));
  const facts = callModel('deadlines', () => model.deadlines!(parseJson(json)));
  return Object.fromEntries(
    Object.entries(facts).flatMap(([id, each]) => {
      const at = progress.get(id)?.at;
      // After the process is done, milestones that are not reached are no longer expected.
      if (description.done && at === undefined) return [];
      const timeline = deadlineTimeline(each, at ?? now);
      return timeline ? [[id, timeline]] : [];
    }),
  );
}
