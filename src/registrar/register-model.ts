import type { Clock } from '../common/clock.ts';
import { MilepostError } from '../core/errors.ts';
import type { ModelVersion } from '../core/model/model-version.ts';
import { parseDescription, type RegistryEntry } from '../core/model/registry-entry.ts';
import { toIso } from '../core/time/timestamp.ts';

/** A request to register a model, or to remove it. */
export interface ModelRegistration {
  readonly type: 'Create' | 'Update' | 'Delete';
  /** The CloudFormation resource: the ARN of its stack, and its logical id. */
  readonly resource: string;
  readonly modelId: string;
  readonly functionArn: string;
  /** The version of the function's code that the deployment published; undefined if it published none. */
  readonly functionVersion?: string;
  /**
   * When CloudFormation sent the request, in milliseconds since 1970. Requests take effect in this order. If the time
   * is unknown, the request takes effect after all others.
   */
  readonly requestedAt?: number;
}

/** The request that changes the registry. */
export interface RegistryRequest extends Pick<ModelRegistration, 'type' | 'resource'> {
  /** When the request was sent, RFC 3339 in UTC. If unknown, the current time. */
  readonly at: string;
  /** False if the time of the request is unknown. */
  readonly isTimed: boolean;
}

/**
 * Writes to the model registry. A write has no effect if the registry already contains a registration, a removal, or a
 * rollback of the model after the time of the request. If the time is unknown, the write always takes effect.
 */
export interface RegistryWriter {
  /** True if no model was ever registered. */
  isEmpty(): Promise<boolean>;
  /**
   * Stores an entry. Returns the entry that it replaced, if any.
   *
   * @throws MilepostError `contention` if the request is a creation, and an operator has rolled back the model of
   * another resource in the meantime.
   */
  put(
    entry: RegistryEntry,
    request: RegistryRequest,
  ): Promise<{ readonly replaced: RegistryEntry | undefined } | 'superseded'>;
  /**
   * Stores a version of a model's code for later rollbacks: see `addDeployedVersion`. Returns all stored
   * versions, newest first.
   */
  keepVersion(
    id: string,
    version: ModelVersion,
    request: RegistryRequest,
  ): Promise<readonly ModelVersion[] | 'superseded'>;
  /**
   * Removes the entry and the versions that the deleted resource registered, or restores those that the resource
   * replaced. Stores the time of the request so that an earlier request does not register the model again.
   */
  remove(id: string, request: RegistryRequest): Promise<void>;
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
 * deliver a request hours late or twice. A request therefore changes nothing if the registry already contains the
 * result of a later request, or of an operator's later rollback.
 *
 * @param signal aborts the registration: no write to the registry starts afterward.
 * @returns `superseded` if a later request or rollback has changed the model.
 * @throws MilepostError `bad-model` if the function's description is invalid or belongs to another model.
 */
export async function registerModel(
  dependencies: RegisterModelDependencies,
  registration: ModelRegistration,
  signal?: AbortSignal,
): Promise<RegistrationResult | 'superseded'> {
  const { modelId, functionArn, functionVersion } = registration;
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
  const request = requestOf(registration, dependencies.clock);
  const registeredAt = request.at;
  let kept: readonly ModelVersion[] = [];
  if (functionVersion !== undefined) {
    const { version } = description;
    const published = `${functionArn}:${functionVersion}`;
    const deployed = { functionVersion, version, functionArn: published, registeredAt };
    const versions = await dependencies.registry.keepVersion(modelId, deployed, request);
    if (versions === 'superseded') return versions;
    kept = versions;
    signal?.throwIfAborted();
  }
  const entry = { ...description, functionArn, functionVersion, registeredAt };
  const put = await dependencies.registry.put(entry, request);
  return put === 'superseded' ? put : { entry, replaced: put.replaced, kept };
}

/**
 * Removes a model from the registry, unless a later request or another resource has registered it: if a model moves to
 * another resource, CloudFormation creates the new resource before it deletes the old one. If it deletes the new one
 * because the deployment failed, the old one is registered again.
 */
export async function unregisterModel(
  dependencies: RegisterModelDependencies,
  registration: ModelRegistration,
): Promise<void> {
  const request = requestOf(registration, dependencies.clock);
  await dependencies.registry.remove(registration.modelId, request);
}

const requestOf = (
  { type, resource, requestedAt }: ModelRegistration,
  clock: Clock,
): RegistryRequest => ({
  type,
  resource,
  at: toIso(requestedAt ?? clock.now()),
  isTimed: requestedAt !== undefined,
});
