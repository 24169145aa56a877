import type { Timer } from '../effects/timer.ts';
import { findNonJson } from '../json/non-json.ts';
import { parseJson } from '../json/parse-json.ts';
import { checkDescription } from '../model/check-description.ts';
import type { KeyedDescription } from '../model/description.ts';
import { keysOf } from '../model/keys.ts';
import type { Model } from '../model/model.ts';
import { callModel } from '../model/model-fault.ts';
import { sealedPlaceholder } from '../personal-data/sealed.ts';
import { mapAtPaths } from '../personal-data/sensitive.ts';

/**
 * The maximum size of a state, in bytes of JSON: the state with its personal data sealed, plus the running timers. The
 * state must fit into one DynamoDB item together with the events of its commit.
 */
export const maximumStateBytes = 300 * 1024;

/** The maximum factor by which sealing can enlarge a state: a value of one byte, such as a digit, becomes 54 bytes. */
const maximumSealingFactor = 54;

/**
 * An instance's state after an event, with its description. A snapshot includes the JSON of the state so that the state
 * is serialized only once.
 */
export interface Snapshot {
  readonly state: unknown;
  readonly json: string;
  readonly description: KeyedDescription;
  /** The running timers, sorted by due time. */
  readonly timers: readonly Timer[];
  /** False until an event is applied. Rejected events alone do not start an instance. */
  readonly isStarted: boolean;
}

/** Builds a snapshot from a state that was stored as JSON. */
export const restoreSnapshot = (stored: Omit<Snapshot, 'state'>): Snapshot => ({
  ...stored,
  state: parseJson(stored.json),
});

/**
 * Removes the milestones from the snapshot of an instance that has no applied events. The model describes the initial
 * state, but no milestone is reached or expected before the instance starts.
 */
export function withoutMilestones(snapshot: Snapshot): Snapshot {
  const { milestones: _, ...description } = snapshot.description;
  return { ...snapshot, description, isStarted: false };
}

/** Returns why a state is too large to store; undefined if it fits. */
export function stateSizeViolation(model: Model, { json, timers }: Snapshot): string | undefined {
  const sealed = sealedBytes(model, json);
  const bytes =
    (sealed ?? Buffer.byteLength(json)) +
    (timers.length > 0 ? Buffer.byteLength(JSON.stringify(timers)) : 0);
  if (bytes <= maximumStateBytes) return undefined;
  const whole = timers.length > 0 ? 'the state with its timers' : 'the state';
  const how = sealed === undefined ? '' : ' with its personal data sealed';
  return `${whole}${how} would grow to ${bytes} bytes; the limit is ${maximumStateBytes}`;
}

/**
 * Returns the size of a state after sealing, in bytes; undefined if nothing is sealed, or if the state fits even at its
 * largest possible sealed size.
 */
function sealedBytes({ sensitive }: Model, json: string): number | undefined {
  const paths = sensitive?.state ?? [];
  if (paths.length === 0 || Buffer.byteLength(json) * maximumSealingFactor <= maximumStateBytes)
    return undefined;
  const sealed = mapAtPaths(parseJson(json), paths, sealedPlaceholder);
  return Buffer.byteLength(JSON.stringify(sealed));
}

/**
 * Validates a state that a model's code returned and adds its description and keys.
 *
 * @param before the description of the previous state.
 * @throws TypeError if the state is not JSON, or if the model returns an invalid description or invalid keys; the error
 *   of `callModel` if the model's code throws.
 */
export function snapshotOf(
  model: Model,
  state: unknown,
  timers: readonly Timer[],
  before?: KeyedDescription,
): Snapshot {
  const serialized = serialize(state);
  const described = checkDescription(
    model,
    callModel('describe', () => model.describe(state)),
    before,
  );
  const keys = keysOf(model, state);
  const description = keys.length > 0 ? { ...described, keys } : described;
  return { ...serialized, description, timers, isStarted: true };
}

/** A state that was serialized and parsed, and its JSON text. */
export type SerializedState = Pick<Snapshot, 'state' | 'json'>;

/**
 * Serializes a state from a model's code.
 *
 * @throws TypeError for a state that JSON would change.
 */
export function serialize(state: unknown): SerializedState {
  const wrong = findNonJson(state);
  if (wrong) throw new TypeError(`a state must be JSON, but ${wrong}`);
  const json = JSON.stringify(state);
  // JSON drops undefined members, so the next event must not see them either. Otherwise, folding events together could
  // give a different result from folding them one by one.
  return { state: parseJson(json), json };
}
