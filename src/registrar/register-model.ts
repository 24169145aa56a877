import type { Clock } from '../common/clock.ts';
import { MilepostError } from '../core/errors.ts';
import type { ModelVersion } from '../core/model/model-version.ts';
import { parseDescription, type RegistryEntry } from '../core/model/registry-entry.ts';
import { toIso } from '../core/time/timestamp.ts';

/** A model and the function that runs it. */
export interface ModelRegistration {
  readonly modelId: string;
  readonly functionArn: string;
  /** The version of the function's code that the deployment published; undefined if it published none. */
  readonly functionVersion?: string;
  /**
   * When CloudFormation sent the request, in milliseconds since 1970. Requests take effect in this order. If the time is
   * unknown, the request takes effect after all others.
   */
  readonly requestedAt?: number;
}

/**
 * Writes to the model registry. A write has no effect if the registry already contains a registration, a removal, or a
 * rollback of the model after the time `unlessAfter`, RFC 3339 in UTC. Without `unlessAfter`, it always takes effect.
 */
export interface RegistryWriter {
  /** True if no model was ever registered. */
  isEmpty(): Promise<boolean>;
  /** Stores an entry. Returns the entry that it replaced, if any. */
  put(
    entry: RegistryEntry,
    unlessAfter?: string,
  ): Promise<{ readonly replaced: RegistryEntry | undefined } | 'superseded'>;
  /**
   * Stores a version of a model's code for later rollbacks: see `addDeployedVersion`. Returns all stored
   * versions, newest first.
   */
  keepVersion(
    id: string,
    version: ModelVersion,
    unlessAfter?: string,
  ): Promise<readonly ModelVersion[] | 'superseded'>;
  /**
   * Removes the entry and the model's versions if the entry names the function `functionArn` or one of its versions, or
   * no longer exists. Stores the time `removedAt`, so that an earlier request does not register the model again.
   */
  remove(
    id: string,
    functionArn: string,
    removedAt: string,
    unlessAfter?: string,
  ): Promise<'removed' | 'kept'>;
}

export interface RegisterModelDependencies {
  /** Requests the description from the model's function. Throws an error if the function fails. */
  describeModel(functionArn: string, signal?: AbortSignal): Promise<unknown>;
  readonly registry: RegistryWriter;
  readonly partitions: {
    /** Sets the number of index partitions if the tracker has no instances. */
    begin(): Promise<void>;
  };
  readonly clock: Clock;
}

export interface RegistrationResult {
  readonly entry: RegistryEntry;
  /** The entry that was replaced, if any. */
  readonly replaced: RegistryEntry | undefined;
  /** The versions of the model's code in the registry, newest first; empty if the deployment published none. */
  readonly kept: readonly ModelVersion[];
}

/**
 * Registers a model or updates its entry. After a rollback, the next registration makes the deployed version current
 * again.
 *
 * CloudFormation can send a request while an earlier request for the same model is still running: if another resource
 * fails, it cancels the update of this one and immediately sends the rollback or the deletion. In addition, Lambda can
 * deliver a request hours late or twice. A request therefore changes nothing if the registry already contains the result
 * of a later request, or of an operator's later rollback.
 *
 * @param signal aborts the registration: no write to the registry starts afterward.
 * @returns `superseded` if a later request or rollback has changed the model.
 * @throws MilepostError `bad-model` if the function's description is invalid or belongs to another model.
 */
export async function registerModel(
  dependencies: RegisterModelDependencies,
  { modelId, functionArn, functionVersion, requestedAt }: ModelRegistration,
  signal?: AbortSignal,
): Promise<RegistrationResult | 'superseded'> {
  const answer = await dependencies.describeModel(functionArn, signal);
  const description = parseDescription(answer);
  if (description.id !== modelId)
    throw new MilepostError(
      'bad-model',
      `the function registered as model "${modelId}" serves model "${description.id}"; ` +
        `pass "${description.id}" to addModel, or change the id in the model`,
    );
  // Before the first model is registered, no function writes instances, so the number of partitions can still be set.
  if (await dependencies.registry.isEmpty()) await dependencies.partitions.begin();
  // After an abort, the deployment has failed. A later write could undo the deployment's rollback, which another
  // invocation performs.
  signal?.throwIfAborted();
  const { at: registeredAt, unlessAfter } = timesOf(requestedAt, dependencies.clock);
  let kept: readonly ModelVersion[] = [];
  if (functionVersion !== undefined) {
    const { version } = description;
    const published = `${functionArn}:${functionVersion}`;
    const deployed = { functionVersion, version, functionArn: published, registeredAt };
    const versions = await dependencies.registry.keepVersion(modelId, deployed, unlessAfter);
    if (versions === 'superseded') return versions;
    kept = versions;
    signal?.throwIfAborted();
  }
  const entry = { ...description, functionArn, functionVersion, registeredAt };
  const put = await dependencies.registry.put(entry, unlessAfter);
  return put === 'superseded' ? put : { entry, replaced: put.replaced, kept };
}

/**
 * Removes a model from the registry, unless a later request has registered it or another function now runs it:
 * CloudFormation deletes a replaced resource after it creates the replacement.
 */
export async function unregisterModel(
  dependencies: RegisterModelDependencies,
  { modelId, functionArn, requestedAt }: ModelRegistration,
): Promise<'removed' | 'kept'> {
  const { at, unlessAfter } = timesOf(requestedAt, dependencies.clock);
  return dependencies.registry.remove(modelId, functionArn, at, unlessAfter);
}

/** Returns the time to store, and the time for `unlessAfter`, which is undefined if the time of the request is unknown. */
function timesOf(requestedAt: number | undefined, clock: Clock) {
  const at = toIso(requestedAt ?? clock.now());
  return { at, unlessAfter: requestedAt === undefined ? undefined : at };
}
