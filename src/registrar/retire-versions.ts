import { isFunctionVersion, maximumVersions } from '../core/model/model-version.ts';
import type { RegistrationResult } from './register-model.ts';

/** Lists and deletes the published versions of Lambda functions. */
export interface PublishedVersions {
  /** Lists a function's version numbers, including `$LATEST`. */
  list(functionArn: string): Promise<readonly string[]>;
  /** Deletes one of a function's versions. Has no effect if the version does not exist. */
  delete(functionArn: string, functionVersion: string): Promise<void>;
}

/** The maximum number of versions to delete in one deployment, to stay within the registrar's timeout. */
const maximumDeletions = 50;

/**
 * Deletes the versions of a model's function that are older than the versions in the registry: no rollback can use
 * them. The version that this deployment replaces is kept until the next deployment because dispatchers can still
 * invoke it for a few seconds. If a version cannot be deleted, for example, because an alias refers to it, the next
 * deployment tries again.
 *
 * @param failed called with each error. Errors are never thrown.
 */
export async function retireVersions(
  versions: PublishedVersions,
  { entry, replaced, kept }: RegistrationResult,
  failed: (error: unknown) => void,
): Promise<void> {
  // The registry drops versions only when it contains the maximum number.
  if (kept.length < maximumVersions) return;
  // If the request was repeated, it replaced its own entry. The version that dispatchers can still invoke is then
  // unknown.
  const { functionVersion, registeredAt } = entry;
  if (replaced?.functionVersion === functionVersion && replaced?.registeredAt === registeredAt)
    return;
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
