import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { InstanceKey, TrackedEvent } from '../event/event.ts';
import { apiSource } from '../event/reserved-source.ts';
import type { Head } from '../history/commit.ts';
import type { InstanceTimes } from '../history/instance-times.ts';
import type { Snapshot } from '../history/snapshot.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { isSameJson } from '../json/same-json.ts';
import type { Model } from '../model/model.ts';
import { lateAndRiskTimes, progressOf } from '../status/milestones.ts';

/**
 * The type of the event that rebuilds an instance from its history. Like every event that changes an instance, this
 * event goes through the stream. If the rebuild changes the instance, the history records the event, and the state
 * after it is the result of folding all earlier events with the current model.
 */
const rebuildType = 'milepost.rebuild';

/** Builds the CloudEvent that requests a rebuild of an instance or, with `rowsOnly`, of only its status row. */
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

/** Returns true if an event requests a rebuild. A rebuild event never reaches the model. */
export const isRebuild = ({ type, source }: Pick<TrackedEvent, 'type' | 'source'>) =>
  type === rebuildType && source === apiSource;

/** Returns true if a rebuild is restricted to the status row. */
export const isStatusRowRebuild = ({ data }: Pick<TrackedEvent, 'data'>) =>
  isJsonObject(data) && data.rowsOnly === true;

/**
 * Returns true if an instance equals the result of folding its history, including its description, timers, and times.
 */
export function matchesHistory(
  { milestones }: Model,
  newest: Head,
  folded: Snapshot,
  times: InstanceTimes,
): boolean {
  const { description, timers } = folded;
  const { lateAt, riskAt } = lateAndRiskTimes(milestones, description, newest.at);
  return (
    isSameJson(newest.state, folded.json) &&
    isSameJson(JSON.stringify(newest.description), JSON.stringify(description)) &&
    isDeepStrictEqual(newest.timers, timers) &&
    newest.startedAt === times.startedAt &&
    newest.statusSince === times.statusSince &&
    newest.progress === progressOf(milestones, description) &&
    (newest.lateAt === null) === (lateAt === null) &&
    (newest.riskAt === null) === (riskAt === null)
  );
}
