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
}

/** Writes to the model registry. */
export interface RegistryWriter {
  /** True if no model is registered. */
  isEmpty(): Promise<boolean>;
  /** Stores an entry. Returns the entry that it replaced, if any. */
  put(entry: RegistryEntry): Promise<RegistryEntry | undefined>;
  /**
   * Stores a version of a model's code for later rollbacks: see `addDeployedVersion`. Returns all stored
   * versions, newest first.
   */
  keepVersion(id: string, version: ModelVersion): Promise<readonly ModelVersion[]>;
  /**
   * Removes the entry and the model's versions if the entry names the function `functionArn` or one of its versions, or
   * no longer exists.
   */
  remove(id: string, functionArn: string): Promise<'removed' | 'kept'>;
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
 * @param signal aborts the registration: no write to the registry starts afterward.
 * @throws MilepostError `bad-model` if the function's description is invalid or belongs to another model.
 */
export async function registerModel(
  dependencies: RegisterModelDependencies,
  { modelId, functionArn, functionVersion }: ModelRegistration,
  signal?: AbortSignal,
): Promise<RegistrationResult> {
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
  const registeredAt = toIso(dependencies.clock.now());
  let kept: readonly ModelVersion[] = [];
  if (functionVersion !== undefined) {
    const { version } = description;
    const published = `${functionArn}:${functionVersion}`;
    const deployed = { functionVersion, version, functionArn: published, registeredAt };
    kept = await dependencies.registry.keepVersion(modelId, deployed);
    signal?.throwIfAborted();
  }
  const entry = { ...description, functionArn, functionVersion, registeredAt };
  return { entry, replaced: await dependencies.registry.put(entry), kept };
}

/**
 * Removes a model from the registry, unless another function now runs it: CloudFormation deletes a replaced resource
 * after it creates the replacement.
 */
export async function unregisterModel(
  dependencies: RegisterModelDependencies,
  { modelId, functionArn }: ModelRegistration,
): Promise<'removed' | 'kept'> {
  return dependencies.registry.remove(modelId, functionArn);
}
