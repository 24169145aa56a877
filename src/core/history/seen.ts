import { hash } from 'node:crypto';

/**
 * The events that an instance has had, as fingerprints. Like a Bloom filter, `mayContain` has no false
 * negatives. The false positive rate is at most about 1 in 2,000, so a positive answer is verified against the
 * history.
 *
 * Most commits carry only the fingerprints of the latest few events and the version of an earlier commit that
 * carries the rest. A commit therefore takes about the same space for ten events and for a thousand.
 */
export interface Seen {
  /** The number of events that the instance has had. */
  readonly total: number;
  /** The version of the commit that carries `sets`; 0 if they are empty. */
  readonly base: number;
  /** `elsewhere` if the commit was read without its base; then no event can be looked up. */
  readonly sets: SeenSets | 'elsewhere';
  /** The fingerprints since the base, ascending. */
  readonly since: readonly number[];
}

/**
 * `current` holds up to 1,000 fingerprints. When it is full, it becomes `previous` and a new set starts,
 * so the latest 1,000 are always present.
 */
export interface SeenSets {
  readonly current: readonly number[];
  readonly previous: readonly number[];
}

/** The number of latest events that an instance always recognizes. */
export const seenWindow = 1000;

/** The maximum number of fingerprints in a commit that is not a base, in up to 4 bytes each. */
const maximumSince = 24;

/** The sets before any event. */
export const emptySets: SeenSets = { current: [], previous: [] };

/** The seen events of an instance before its first event. */
export const emptySeen: Seen = { total: 0, base: 0, sets: emptySets, since: [] };

/** The fingerprint of an event: the first 32 bits of a hash of its source and id. */
export function fingerprintOf(event: { readonly source: string; readonly id: string }): number {
  return Number.parseInt(hash('sha1', JSON.stringify([event.source, event.id])).slice(0, 8), 16);
}

/** False if the instance has definitely not had this event within the window that it remembers. */
export function mayContain(seen: Seen, fingerprint: number): boolean {
  const { current, previous } = setsOf(seen);
  return (
    seen.since.includes(fingerprint) ||
    contains(current, fingerprint) ||
    contains(previous, fingerprint)
  );
}

/** True if the fingerprints cover every event that the instance has had. */
export function isWholeHistory(seen: Seen): boolean {
  const { current, previous } = setsOf(seen);
  return seen.total <= seen.since.length + current.length + previous.length;
}

/**
 * Adds events to those that an instance has seen.
 *
 * @param version the version of the commit that contains them.
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

/** Completes seen events with the sets of their base. */
export const withBaseSets = (seen: Seen, base: Seen): Seen => ({ ...seen, sets: base.sets });

function addToSets(sets: SeenSets, fingerprints: readonly number[]): SeenSets {
  if (fingerprints.length === 0) return sets;
  const full = sets.current.length === seenWindow;
  const before = full ? [] : sets.current;
  const fitting = fingerprints.slice(0, seenWindow - before.length);
  const size = before.length + fitting.length;
  // The more fingerprints, the fewer bits of each are kept. Stored fingerprints can be shortened without
  // knowing the events.
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
  throw new TypeError(`the seen events are in commit ${base}, which was not read`);
}

/** The number of bits that a set of this size keeps of each fingerprint. */
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
