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

/** What a model goes on from: an instance as its newest commit left it. */
type StoredState = Pick<Head, 'modelVersion' | 'startedAt' | 'state' | 'description' | 'timers'>;

/**
 * An instance as its model goes on with it: as its newest commit left it, or, where another version of
 * the model made that, moved on to this version by the model's `migrate`. Its timers run on.
 *
 * @throws MilepostError `model-fault` when `migrate` or `describe` fails on it; `cause` holds what it threw.
 */
export function loadSnapshot(model: Model, left: StoredState): Snapshot {
  const { modelVersion, startedAt, state, description, timers } = left;
  const isStarted = startedAt !== null;
  if (modelVersion === model.version || !model.migrate)
    return restoreSnapshot(state, description, timers, isStarted);
  const snapshot = migrateState(model, parseJson(state), modelVersion, timers);
  return isStarted ? snapshot : withoutMilestones(snapshot);
}

/**
 * A state that version `from` of a model left, as the model takes it over.
 *
 * @throws MilepostError `model-fault` as `loadSnapshot` does.
 */
export function migrateState(
  model: Model,
  state: unknown,
  from: number,
  timers: readonly Timer[] = [],
): Snapshot {
  try {
    const isOther = model.migrate && from !== model.version;
    const taken = isOther ? callModel('migrate', () => model.migrate?.(state, from)) : state;
    const snapshot = snapshotOf(model, taken, timers);
    const reason = stateSizeViolation(model, snapshot);
    if (reason) throw new RangeError(reason);
    return snapshot;
  } catch (error) {
    const what = `to take over a state of version ${from} as version ${model.version}`;
    throw toModelFault(model, what, error);
  }
}
