import type { Clock } from '../common/clock.ts';
import { MilepostError } from '../core/errors.ts';
import type { ModelVersion } from '../core/model/model-version.ts';
import { parseDescription, type RegistryEntry } from '../core/model/registry-entry.ts';
import { toIso } from '../core/time/timestamp.ts';

/** Which function runs a model. */
export interface ModelRegistration {
  readonly modelId: string;
  readonly functionArn: string;
  /** The version of its code that was published in this deployment; none where none was. */
  readonly functionVersion?: string;
}

/** Where models are made known. */
export interface RegistryWriter {
  /** Puts an entry, and returns the one that it replaced. */
  put(entry: RegistryEntry): Promise<RegistryEntry | undefined>;
  /**
   * Keeps a version of a model's code, to go back to when a later one is deployed: see `addDeployedVersion`.
   * Returns all versions that are kept then, newest first.
   */
  keepVersion(id: string, version: ModelVersion): Promise<readonly ModelVersion[]>;
  /**
   * Removes the entry, and the model's versions, only while it names the function `functionArn`, or a
   * version of it.
   */
  remove(id: string, functionArn: string): Promise<'removed' | 'kept'>;
}

/** What registering needs of the world. */
export interface RegisterModelDependencies {
  /** Asks the model's function to describe itself; throws when it cannot. */
  describeModel(functionArn: string, signal?: AbortSignal): Promise<unknown>;
  readonly registry: RegistryWriter;
  readonly clock: Clock;
}

/** A registration that was made. */
export interface RegistrationResult {
  readonly entry: RegistryEntry;
  /** The entry that it replaced. */
  readonly replaced: RegistryEntry | undefined;
  /** The versions of the model's code that the registry keeps, newest first; none where none are published. */
  readonly kept: readonly ModelVersion[];
}

/**
 * Makes a model known to the dispatcher and the API, or brings what they know up to date: also after a
 * rollback, which ends with the next deployment.
 *
 * @throws MilepostError `bad-model` when the answer is no description, or another model's
 */
export async function registerModel(
  dependencies: RegisterModelDependencies,
  { modelId, functionArn, functionVersion }: ModelRegistration,
  signal?: AbortSignal,
): Promise<RegistrationResult> {
  const description = parseDescription(await dependencies.describeModel(functionArn, signal));
  if (description.id !== modelId)
    throw new MilepostError(
      'bad-model',
      `the function registered as model "${modelId}" serves model "${description.id}": ` +
        'the id given to addModel and the id in the model must be the same',
    );
  const registeredAt = toIso(dependencies.clock.now());
  let kept: readonly ModelVersion[] = [];
  if (functionVersion !== undefined) {
    const { version } = description;
    const published = `${functionArn}:${functionVersion}`;
    const deployed = { functionVersion, version, functionArn: published, registeredAt };
    kept = await dependencies.registry.keepVersion(modelId, deployed);
  }
  const entry = { ...description, functionArn, functionVersion, registeredAt };
  return { entry, replaced: await dependencies.registry.put(entry), kept };
}

/**
 * Takes a model out of the registry, unless another function has taken it over: CloudFormation
 * deletes a replaced resource after its replacement is in place.
 */
export async function unregisterModel(
  dependencies: RegisterModelDependencies,
  { modelId, functionArn }: ModelRegistration,
): Promise<'removed' | 'kept'> {
  return dependencies.registry.remove(modelId, functionArn);
}
