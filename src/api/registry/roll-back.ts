import { messageOf } from '../../common/message-of.ts';
import { type ModelVersion, unqualifiedArn } from '../../core/model/model-version.ts';
import { parseDescription, type RegistryEntry } from '../../core/model/registry-entry.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ApiDependencies } from '../api-dependencies.ts';

/** What going back to a version of a model's code needs around it. */
export type RollBackDependencies = Pick<
  ApiDependencies,
  'models' | 'versions' | 'describer' | 'clock'
>;

/** What going back came to. */
export type RollBackResult =
  /** It is the version that runs. */
  | { readonly kind: 'current'; readonly version: ModelVersion }
  | { readonly kind: 'no-model' }
  /** The registry has no such version of the model. */
  | { readonly kind: 'no-version' }
  /** It would not run: its function says so, or is gone. Nothing was changed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Its function could not be asked just now. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** Somebody deployed or rolled back meanwhile. */
  | { readonly kind: 'conflict' };

/**
 * Has a version of a model's code apply its events from now on, until another one is chosen or deployed.
 * Doing it again changes nothing. The code is asked what it is before anything is changed: were it gone,
 * every event would be parked.
 */
export async function rollBack(
  { models, versions, describer, clock }: RollBackDependencies,
  id: string,
  functionVersion: string,
): Promise<RollBackResult> {
  const [before, kept] = await Promise.all([models.get(id), versions.versions(id)]);
  if (!before) return { kind: 'no-model' };
  const version = kept.find((each) => each.functionVersion === functionVersion);
  if (!version) return { kind: 'no-version' };
  if (before.functionVersion === functionVersion) return { kind: 'current', version };
  const described = await describer.describe(version.functionArn);
  if (described.kind === 'unavailable') return described;
  if (described.kind === 'failed') return { kind: 'refused', reason: described.reason };
  let after: RegistryEntry;
  try {
    const description = parseDescription(described.answer);
    if (description.id !== id) return { kind: 'refused', reason: `it serves ${description.id}` };
    // What was deployed last needs no number: it is what the function runs by itself.
    const isLast = version === kept[0];
    const functionArn = isLast ? unqualifiedArn(version.functionArn) : version.functionArn;
    after = { ...description, functionArn, functionVersion, registeredAt: toIso(clock.now()) };
  } catch (error) {
    return { kind: 'refused', reason: messageOf(error) };
  }
  const answer = await versions.replace(before, after);
  return answer === 'conflict' ? { kind: 'conflict' } : { kind: 'current', version };
}
