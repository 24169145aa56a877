/** A result that the user opened. */
export interface Recent {
  readonly kind: string;
  readonly text: string;
  readonly href: string;
}

/** The members of the browser's storage that this module uses. */
export type RecentStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const name = 'milepost.recent';
const keptAtMost = 8;

/**
 * Returns the results that the user opened most recently, latest first. Returns an empty list if the storage contains
 * no valid list, or if the browser does not allow storage.
 */
export function recentResults(storage: RecentStorage): readonly Recent[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(name) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, keptAtMost) : [];
  } catch {
    return [];
  }
}

/** Adds a result to the start of the list of recent results, which contains at most eight. */
export function remember(storage: RecentStorage, { kind, text, href }: Recent): void {
  const others = recentResults(storage).filter((each) => each.href !== href);
  try {
    const kept = [{ kind, text, href }, ...others].slice(0, keptAtMost);
    storage.setItem(name, JSON.stringify(kept));
  } catch {
    // Ignore errors from full or disabled storage because only recent results are lost.
  }
}

/** Removes all recent results. */
export function forgetRecent(storage: RecentStorage): void {
  try {
    storage.removeItem(name);
  } catch {
    // Ignore errors from disabled storage because it contains nothing.
  }
}

/**
 * Returns true if a stored value is a result with the address of a page. The check is necessary because another program
 * may have changed the storage.
 */
function isRecent(value: unknown): value is Recent {
  const { kind, text, href } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof kind === 'string' &&
    typeof text === 'string' &&
    typeof href === 'string' &&
    /^\/(?!\/)/.test(href)
  );
}
