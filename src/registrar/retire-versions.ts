import { isFunctionVersion, maximumVersions } from '../core/model/model-version.ts';
import type { RegistrationResult } from './register-model.ts';

/** The versions of functions that are published in Lambda. */
export interface PublishedVersions {
  /** Lists the numbers of a function's versions, and `$LATEST`. */
  list(functionArn: string): Promise<readonly string[]>;
  /** Deletes one version of a function. That it is gone already is fine. */
  delete(functionArn: string, functionVersion: string): Promise<void>;
}

/** How many versions one deployment deletes at most, so that it stays within the registrar's time. */
const maximumDeletions = 50;

/**
 * Deletes the versions of a model's function that cannot be gone back to any more: those older than the
 * ones that the registry keeps. The version that ran until now is spared until the next deployment,
 * because dispatchers may still invoke it for a few seconds. A version that cannot be deleted, as one with
 * an alias, is tried again at the next deployment.
 *
 * @param failed is told what could not be done; nothing is thrown.
 */
export async function retireVersions(
  versions: PublishedVersions,
  { entry, replaced, kept }: RegistrationResult,
  failed: (error: unknown) => void,
): Promise<void> {
  // Versions leave the registry only when it is full.
  if (kept.length < maximumVersions) return;
  const oldest = Math.min(...kept.map(({ functionVersion }) => Number(functionVersion)));
  try {
    const published = await versions.list(entry.functionArn);
    const surplus = published
      .filter((each) => isFunctionVersion(each) && Number(each) < oldest)
      .filter((each) => each !== replaced?.functionVersion)
      .toSorted((a, b) => Number(a) - Number(b));
    for (const each of surplus.slice(0, maximumDeletions)) {
      try {
        await versions.delete(entry.functionArn, each);
      } catch (error) {
        failed(error);
      }
    }
  } catch (error) {
    failed(error);
  }
}
