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
 * Computes the courses of an instance's deadlines. Milestones without a deadline, milestones that are no longer expected, and
 * models without `deadlines` have none.
 *
 * @throws MilepostError `model-fault` if the model's code fails.
 * @throws Error if storage fails.
 */
export async function readDeadlines(
  { model, store }: { readonly model: Model | ModelFunction; readonly store: InstanceStore },
  { transaction, now }: DeadlinesRequest,
): Promise<DeadlinesAnswer> {
  // A function in another language computes deadlines on its own.
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
        // A process that is done expects nothing more.
        if (description.done && at === undefined) return [];
        const course = deadlineCourse(each, at ?? now);
        return course ? [[id, course]] : [];
      }),
    ),
  };
}
