import { hash } from 'node:crypto';

/**
 * Which events an instance has had, as fingerprints. `mayContain` never misses an event that is in
 * there; about once in two thousand times at its fullest it says yes to one that is not, so a yes
 * is looked up in the history.
 *
 * Most commits carry but the fingerprints of the latest few events, and name the one before them that carries
 * all others: so a commit takes about as much room whether its instance has had ten events or a thousand.
 */
export interface Seen {
  /** How many events the instance has had. */
  readonly total: number;
  /** The version of the commit that carries `sets`; 0 where there is nothing in them. */
  readonly base: number;
  /** `elsewhere` for what was read of a commit without its base: nothing can be told by that. */
  readonly sets: SeenSets | 'elsewhere';
  /** The events since the base, rising. */
  readonly since: readonly number[];
}

/**
 * The first 1,000 events are kept in `current`; then it becomes `previous` and a new one starts, so
 * that the last 1,000 are always there.
 */
export interface SeenSets {
  readonly current: readonly number[];
  readonly previous: readonly number[];
}

/** How many of an instance's latest events are recognised, at the least. */
export const seenWindow = 1000;

/** How many events a commit tells of without being a base, in up to 4 bytes each. */
const maximumSince = 24;

/** What a set of no events is. */
export const emptySets: SeenSets = { current: [], previous: [] };

/** What an instance has seen before its first event. */
export const emptySeen: Seen = { total: 0, base: 0, sets: emptySets, since: [] };

/** The fingerprint of an event: 32 bits that follow from what names it. */
export function fingerprintOf(event: { readonly source: string; readonly id: string }): number {
  return Number.parseInt(hash('sha1', JSON.stringify([event.source, event.id])).slice(0, 8), 16);
}

/** False when the instance surely has not had this event, as far back as it remembers. */
export function mayContain(seen: Seen, fingerprint: number): boolean {
  const { current, previous } = setsOf(seen);
  return (
    seen.since.includes(fingerprint) ||
    contains(current, fingerprint) ||
    contains(previous, fingerprint)
  );
}

/** True when it remembers every event that the instance ever had. */
export function isWholeHistory(seen: Seen): boolean {
  const { current, previous } = setsOf(seen);
  return seen.total <= seen.since.length + current.length + previous.length;
}

/**
 * What an instance has seen after some more events.
 *
 * @param version of the commit that they are in.
 */
export function addFingerprints(
  seen: Seen,
  fingerprints: readonly number[],
  version: number,
): Seen {
  if (fingerprints.length === 0) return seen;
  const total = seen.total + fingerprints.length;
  const since = [...seen.since, ...fingerprints];
  if (since.length <= maximumSince) return { ...seen, total, since: since.toSorted(rising) };
  return { total, base: version, sets: addToSets(setsOf(seen), since), since: [] };
}

/** The same with the sets of its base, as that has them. */
export const withBaseSets = (seen: Seen, base: Seen): Seen => ({ ...seen, sets: base.sets });

function addToSets(sets: SeenSets, fingerprints: readonly number[]): SeenSets {
  if (fingerprints.length === 0) return sets;
  const full = sets.current.length === seenWindow;
  const before = full ? [] : sets.current;
  const fitting = fingerprints.slice(0, seenWindow - before.length);
  const size = before.length + fitting.length;
  // Fewer bits are kept of each fingerprint the more there are; what is stored can lose bits
  // later without knowing the events.
  const lost = bitsAt(before.length) - bitsAt(size);
  const added = fitting.map((fingerprint) => prefix(fingerprint, size));
  const after = {
    current: [...before.map((f) => f >>> lost), ...added].toSorted(rising),
    previous: full ? sets.current : sets.previous,
  };
  return addToSets(after, fingerprints.slice(fitting.length));
}

function setsOf({ sets, base }: Seen): SeenSets {
  if (sets !== 'elsewhere') return sets;
  throw new TypeError(`what was seen before is in commit ${base}, which was not read`);
}

/** How many bits of each fingerprint are kept in a set of so many. */
function bitsAt(size: number): number {
  if (size <= 64) return 32;
  return size <= 250 ? 24 : 22;
}

const prefix = (fingerprint: number, size: number) => fingerprint >>> (32 - bitsAt(size));

const rising = (a: number, b: number) => a - b;

function contains(sorted: readonly number[], fingerprint: number): boolean {
  const wanted = prefix(fingerprint, sorted.length);
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
