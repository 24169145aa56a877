import type { Timer } from '../effects/timer.ts';
import { parseJson } from '../json/parse-json.ts';
import type { Model } from '../model/model.ts';
import { callModel, toModelFault } from '../model/model-fault.ts';
import type { Head } from './commit.ts';
import {
  restoreSnapshot,
  type Snapshot,
  snapshotOf,
  stateSizeViolation,
  withoutMilestones,
} from './snapshot.ts';

/** The part of an instance's latest commit from which its model continues. */
type StoredState = Pick<Head, 'modelVersion' | 'startedAt' | 'state' | 'description' | 'timers'>;

/**
 * Loads the snapshot of an instance from its latest commit. If another version of the model made that commit, the
 * model's `migrate`, if any, converts the state. Timers keep running.
 *
 * @throws MilepostError `model-fault` if `migrate`, `describe`, or `keys` fails, or if the migrated state is invalid or
 *   too large; `cause` is the original error.
 */
export function loadSnapshot(model: Model, latest: StoredState): Snapshot {
  const { modelVersion, startedAt, state, description, timers } = latest;
  const isStarted = startedAt !== null;
  if (modelVersion === model.version || !model.migrate)
    return restoreSnapshot({ json: state, description, timers, isStarted });
  const snapshot = migrateState(model, parseJson(state), modelVersion, timers);
  return isStarted ? snapshot : withoutMilestones(snapshot);
}

/**
 * Converts a state from the version `from` to this version of the model.
 *
 * @throws MilepostError `model-fault`, like `loadSnapshot`.
 */
export function migrateState(
  model: Model,
  state: unknown,
  from: number,
  timers: readonly Timer[] = [],
): Snapshot {
  try {
    const isOther = model.migrate && from !== model.version;
    const migrated = isOther ? callModel('migrate', () => model.migrate?.(state, from)) : state;
    const snapshot = snapshotOf(model, migrated, timers);
    const reason = stateSizeViolation(model, snapshot);
    if (reason) throw new RangeError(reason);
    return snapshot;
  } catch (error) {
    const what = `to migrate a state of version ${from} to version ${model.version}`;
    throw toModelFault(model, what, error);
  }
}
