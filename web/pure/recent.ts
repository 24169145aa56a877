/** A result that the user opened. */
export interface Recent {
  readonly kind: string;
  readonly text: string;
  readonly href: string;
}

/** The part of the browser's storage that is used. */
export type RecentStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const name = 'milepost.recent';
const keptAtMost = 8;

/** Returns the results that were opened last, latest first; none if the browser stores nothing. */
export function recentResults(storage: RecentStorage): readonly Recent[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(name) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, keptAtMost) : [];
  } catch {
    return [];
  }
}

/** Adds a result to those that were opened last. */
export function remember(storage: RecentStorage, { kind, text, href }: Recent): void {
  const others = recentResults(storage).filter((each) => each.href !== href);
  try {
    const kept = [{ kind, text, href }, ...others].slice(0, keptAtMost);
    storage.setItem(name, JSON.stringify(kept));
  } catch {
    // A full or disabled storage only costs the list of recent results.
  }
}

/** Removes all of them. */
export function forgetRecent(storage: RecentStorage): void {
  try {
    storage.removeItem(name);
  } catch {
    // A disabled storage contains nothing.
  }
}

/** True if a stored value is a result with an address of a page. Another program can have changed the storage. */
function isRecent(value: unknown): value is Recent {
  const { kind, text, href } = (value ?? {}) as Record<string, unknown>;
  return (
    typeof kind === 'string' &&
    typeof text === 'string' &&
    typeof href === 'string' &&
    /^\/(?!\/)/.test(href)
  );
}
