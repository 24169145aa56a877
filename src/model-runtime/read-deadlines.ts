import { deadlineCourse } from '../core/deadline/deadline-course.ts';
import { loadSnapshot } from '../core/history/migrate.ts';
import { parseJson } from '../core/json/parse-json.ts';
import type { Model } from '../core/model/model.ts';
import { callModel } from '../core/model/model-fault.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { DeadlinesAnswer, DeadlinesRequest } from './protocol.ts';
import type { ModelFunction } from './remote/model-function.ts';
import { isRemote } from './remote/remote-model.ts';

/**
 * Computes the courses of an instance's deadlines. There is no course for a milestone without a deadline, for a
 * milestone that is no longer expected, or for a model without `deadlines`.
 *
 * @throws MilepostError `model-fault` if the model's code fails.
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
  const { json, description } = loadSnapshot(model, commit);
  const progress = new Map(description.milestones?.map((each) => [each.id, each]));
  const facts = callModel('deadlines', () => model.deadlines!(parseJson(json)));
  return {
    deadlines: Object.fromEntries(
      Object.entries(facts).flatMap(([id, each]) => {
        const at = progress.get(id)?.at;
        // After the process is done, milestones that are not reached are no longer expected.
        if (description.done && at === undefined) return [];
        const course = deadlineCourse(each, at ?? now);
        return course ? [[id, course]] : [];
      }),
    ),
  };
}
