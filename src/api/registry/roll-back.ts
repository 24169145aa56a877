import { messageOf } from '../../common/message-of.ts';
import { type ModelVersion, unqualifiedArn } from '../../core/model/model-version.ts';
import { parseDescription, type RegistryEntry } from '../../core/model/registry-entry.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ApiDependencies } from '../api-dependencies.ts';

/** The dependencies of a rollback. `describer` asks a version to describe itself. */
export type RollBackDependencies = Pick<
  ApiDependencies,
  'models' | 'versions' | 'describer' | 'clock'
>;

/** The result of a rollback. */
export type RollBackResult =
  /** The version is now active or already was. */
  | { readonly kind: 'current'; readonly version: ModelVersion }
  | { readonly kind: 'no-model' }
  /** The registry does not contain the requested version. */
  | { readonly kind: 'no-version' }
  /** The version's function was deleted, failed to describe itself, or serves another model. Nothing was changed. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The version's function is temporarily unavailable. Nothing was changed. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** A concurrent deployment or rollback changed the registry. */
  | { readonly kind: 'conflict' };

/**
 * Returns the versions that a rollback can activate: none if the deployed function published no version. The registry
 * then still contains the versions from before the model moved to another language, which Milepost may not invoke.
 */
export const versionsToActivate = (
  entry: RegistryEntry,
  kept: readonly ModelVersion[],
): readonly ModelVersion[] => (entry.functionVersion === undefined ? [] : kept);

/**
 * Activates a version of a model's code until the next rollback, or until a deployment changes the model's function.
 * Repeating a rollback has no effect. The version must describe itself before the registry changes. Otherwise, a
 * version whose function no longer exists could become active, and all the model's events would be parked.
 */
export async function rollBack(
  { models, versions, describer, clock }: RollBackDependencies,
  id: string,
  functionVersion: string,
): Promise<RollBackResult> {
  const before = await models.getConsistent(id);
  if (!before) return { kind: 'no-model' };
  // Read the versions after the entry. Otherwise, a deployment between the two reads could drop a version that is in the
  // list, and then delete it after this rollback has made it current.
  const kept = versionsToActivate(before, await versions.versions(id));
  // A deployment that moves the model to another function stores a version before it replaces the entry.
  const version = kept.find(
    (each) =>
      each.functionVersion === functionVersion &&
      unqualifiedArn(each.functionArn) === unqualifiedArn(before.functionArn),
  );
  if (!version) return { kind: 'no-version' };
  if (before.functionVersion === functionVersion) return { kind: 'current', version };
  const described = await describer.describe(version.functionArn);
  if (described.kind === 'unavailable') return described;
  if (described.kind === 'failed') return { kind: 'rejected', reason: described.reason };
  let after: RegistryEntry;
  try {
    const description = parseDescription(described.answer);
    if (description.id !== id)
      return { kind: 'rejected', reason: `it serves the model ${description.id}` };
    // For the latest deployment, use the unqualified ARN, which always runs the latest code.
    const isLast = version === kept[0];
    const functionArn = isLast ? unqualifiedArn(version.functionArn) : version.functionArn;
    // The time is later than that of the replaced entry, even if clocks differ: the registrar compares the times when
    // Lambda repeats a deployment's request.
    const registeredAt = toIso(Math.max(clock.now(), Date.parse(before.registeredAt) + 1));
    const { registeredBy, replaced } = before;
    after = { ...description, functionArn, functionVersion, registeredAt, registeredBy, replaced };
  } catch (error) {
    return { kind: 'rejected', reason: messageOf(error) };
  }
  if ((await versions.replace(before, after)) === 'replaced') return { kind: 'current', version };
  // If the first request replaced the entry but its response was lost, the retry found a changed entry.
  const found = await models.getConsistent(id);
  return found?.functionArn === after.functionArn && found.functionVersion === functionVersion
    ? { kind: 'current', version }
    : { kind: 'conflict' };
}
