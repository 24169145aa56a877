import type { Clock } from '../core/clock.ts';
import { MilepostError } from '../core/errors.ts';
import { parseDescription, type RegistryEntry } from '../core/registry-entry.ts';
import { toIso } from '../core/time.ts';

/** Which function runs a model. */
export interface Registration {
  readonly modelId: string;
  readonly functionArn: string;
}

/** Where models are made known. */
export interface RegistryWriter {
  put(entry: RegistryEntry): Promise<void>;
  /** Removes the entry only while `functionArn` is still the one that it names. */
  remove(id: string, functionArn: string): Promise<'removed' | 'kept'>;
}

/** What registering needs of the world. */
export interface RegisterPorts {
  /** Asks the model's function to describe itself; throws when it cannot. */
  describeModel(functionArn: string, signal?: AbortSignal): Promise<unknown>;
  readonly registry: RegistryWriter;
  readonly clock: Clock;
}

/**
 * Makes a model known to the dispatcher and the API, or brings what they know up to date.
 *
 * @throws MilepostError `bad-model` when the answer is no description, or another model's
 */
export async function registerModel(
  ports: RegisterPorts,
  { modelId, functionArn }: Registration,
  signal?: AbortSignal,
): Promise<RegistryEntry> {
  const description = parseDescription(await ports.describeModel(functionArn, signal));
  if (description.id !== modelId)
    throw new MilepostError(
      'bad-model',
      `the function registered as model "${modelId}" serves model "${description.id}": ` +
        'the id given to addModel and the id in the model must be the same',
    );
  const entry = { ...description, functionArn, registeredAt: toIso(ports.clock.now()) };
  await ports.registry.put(entry);
  return entry;
}

/**
 * Takes a model out of the registry, unless another function has taken it over: CloudFormation
 * deletes a replaced resource after its replacement is in place.
 */
export async function unregisterModel(
  ports: RegisterPorts,
  { modelId, functionArn }: Registration,
): Promise<'removed' | 'kept'> {
  return ports.registry.remove(modelId, functionArn);
}
