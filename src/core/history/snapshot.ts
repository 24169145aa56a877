import type { Timer } from '../effects/timer.ts';
import { keysOf } from '../event/keys.ts';
import { findNonJson } from '../json/non-json.ts';
import { parseJson } from '../json/parse-json.ts';
import { checkDescription } from '../model/check-description.ts';
import type { KeyedDescription } from '../model/description.ts';
import type { Model } from '../model/model.ts';
import { callModel } from '../model/model-fault.ts';
import { sealedPlaceholder } from '../personal-data/sealed.ts';
import { mapAtPaths } from '../personal-data/sensitive.ts';

/**
 * The largest state, in bytes of its JSON with the timers that run and its personal data sealed: it has
 * to fit into one DynamoDB item with its events.
 */
export const maximumStateBytes = 300 * 1024;

/** The most that sealing may lengthen a state: a value of one byte, such as a digit, takes 54. */
const maximumSealingFactor = 54;

/** An instance's state between two events, with its JSON so that it is written only once. */
export interface Snapshot {
  readonly state: unknown;
  readonly json: string;
  readonly description: KeyedDescription;
  /** The timers that run, by when they are due. */
  readonly timers: readonly Timer[];
  /** False until an event is applied: rejected events alone do not start an instance. */
  readonly isStarted: boolean;
}

/** Reads back a state that was written as JSON. */
export function restoreSnapshot(
  json: string,
  description: KeyedDescription,
  timers: readonly Timer[] = [],
  isStarted = true,
): Snapshot {
  return { state: parseJson(json), json, description, timers, isStarted };
}

/**
 * The snapshot of an instance to which no event is applied yet. The model describes its initial state, but no
 * milestone is reached or expected before the instance starts.
 */
export function withoutMilestones(snapshot: Snapshot): Snapshot {
  const { milestones: _, ...description } = snapshot.description;
  return { ...snapshot, description, isStarted: false };
}

/** Why a state cannot be kept, or undefined. */
export function stateSizeViolation(model: Model, { json, timers }: Snapshot): string | undefined {
  const sealed = sealedBytes(model, json);
  const bytes =
    (sealed ?? Buffer.byteLength(json)) +
    (timers.length > 0 ? Buffer.byteLength(JSON.stringify(timers)) : 0);
  if (bytes <= maximumStateBytes) return undefined;
  const whole = timers.length > 0 ? 'the state with its timers' : 'the state';
  const how = sealed === undefined ? '' : ' with its personal data sealed';
  return `${whole}${how} would grow to ${bytes} bytes, and may have ${maximumStateBytes}`;
}

/** How many bytes a state has once it is sealed; undefined where it is not, or surely is small enough. */
function sealedBytes({ sensitive }: Model, json: string): number | undefined {
  const paths = sensitive?.state ?? [];
  if (paths.length === 0 || Buffer.byteLength(json) * maximumSealingFactor <= maximumStateBytes)
    return undefined;
  const sealed = mapAtPaths(parseJson(json), paths, sealedPlaceholder);
  return Buffer.byteLength(JSON.stringify(sealed));
}

/**
 * A state that a model's code returned, checked, with what it means to people.
 *
 * @param before what the state before it meant to them.
 * @throws TypeError where it is no JSON, or where the model gives no description or no keys of it.
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

/** A state and its JSON. */
export type SerializedState = Pick<Snapshot, 'state' | 'json'>;

/**
 * Serializes a state that a model's code returned.
 *
 * @throws TypeError for a state that JSON would change.
 */
export function serialize(state: unknown): SerializedState {
  const wrong = findNonJson(state);
  if (wrong) throw new TypeError(`a state must be JSON, and ${wrong}`);
  const json = JSON.stringify(state);
  // What JSON leaves out (undefined) must not be there for the next event either: folding events
  // together or one by one gives the same.
  return { state: parseJson(json), json };
}
