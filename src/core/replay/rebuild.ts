import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import { apiSource } from '../event/reserved-source.ts';
import type { Head } from '../history/commit.ts';
import type { Snapshot } from '../history/snapshot.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { isSameJson } from '../json/same-json.ts';
import type { Model } from '../model/model.ts';
import { lateAtOf, progressOf } from '../status/milestones.ts';

/**
 * The type of the event that has an instance rebuilt from its history. Like everything that changes an
 * instance it comes by the stream, and stands in the history where it changed the state: the state
 * after it is that of all events before it, folded from the first on by the model as it was then.
 */
const rebuildType = 'milepost.rebuild';

/** The rebuild of an instance, as a CloudEvent for the stream; of its status row alone, if so asked. */
export function rebuildEvent(
  { model, transaction }: InstanceKey,
  { rowsOnly }: { readonly rowsOnly: boolean },
): JsonObject {
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: apiSource,
    type: rebuildType,
    modelid: model,
    transactionid: transaction,
    data: { rowsOnly },
  };
}

/** Whether an event has its instance rebuilt, and is not one for the model. */
export const isRebuild = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === rebuildType && source === apiSource;

/** Whether it has the status row alone rebuilt. */
export const isStatusRowRebuild = ({ data }: Pick<TrackedEvent, 'data'>) =>
  isJsonObject(data) && data.rowsOnly === true;

/** Whether an instance is as its history folds; what people see of it and its timers included. */
export function matchesHistory({ milestones }: Model, newest: Head, folded: Snapshot): boolean {
  const { description, timers } = folded;
  return (
    isSameJson(newest.state, folded.json) &&
    isSameJson(JSON.stringify(newest.description), JSON.stringify(description)) &&
    isDeepStrictEqual(newest.timers, timers) &&
    newest.progress === progressOf(milestones, description) &&
    (newest.lateAt === null) === (lateAtOf(milestones, description, newest.at) === null)
  );
}
