import { hash } from 'node:crypto';
import type { SeenRun } from './seen-runs.ts';

/**
 * The fingerprints of the events that an instance has seen.
 *
 * The fingerprints of recent events are in the instance's commits. Most commits contain only the fingerprints of the
 * latest few events, and refer to an earlier commit, the base, for the other recent fingerprints. When there are too
 * many recent fingerprints, they are flushed into sorted runs (see `SeenRun`), which are stored separately. A commit
 * therefore takes about the same space whether the instance has ten events or a million.
 */
export interface Seen {
  /** The runs with the events of all commits up to the latest flush, youngest first. */
  readonly runs: readonly SeenRun[];
  /** The version of the commit that contains `recent`; 0 if `recent` is empty. */
  readonly base: number;
  /**
   * The fingerprints since the latest flush and up to the base, ascending, each shortened to `bitsAt(recent.length)`
   * bits; `elsewhere` if the commit was read without its base.
   */
  readonly recent: readonly number[] | 'elsewhere';
  /** The fingerprints since the base, ascending. */
  readonly since: readonly number[];
}

/** The maximum number of fingerprints in a commit that is not a base. Each fingerprint takes up to 4 bytes. */
const maximumSince = 24;

/** The seen events of a new instance: none. */
export const emptySeen: Seen = { runs: [], base: 0, recent: [], since: [] };

/** Returns the fingerprint of an event: 32 bits, derived from its `source` and `id`. */
export function fingerprintOf(event: { readonly source: string; readonly id: string }): number {
  return Number.parseInt(hash('sha1', JSON.stringify([event.source, event.id])).slice(0, 8), 16);
}

/**
 * Returns true if the instance may have seen the event since the latest flush. With 1,000 recent events, the false
 * positive rate is about 1 in 4,000, so a positive result must be verified against the history.
 */
export function mayContainRecent(seen: Seen, fingerprint: number): boolean {
  return seen.since.includes(fingerprint) || contains(recentOf(seen), fingerprint);
}

/** Returns the number of recent fingerprints, which are not in a run. */
export const recentCount = (seen: Seen): number => recentOf(seen).length + seen.since.length;

/** Returns the version of the latest commit whose events are in the runs; 0 if there is no run. */
export const flushedVersion = ({ runs }: Pick<Seen, 'runs'>): number => runs[0]?.to ?? 0;

/**
 * Adds the fingerprints of a commit's events.
 *
 * @param version the version of the commit.
 */
export function addFingerprints(
  seen: Seen,
  fingerprints: readonly number[],
  version: number,
): Seen {
  if (fingerprints.length === 0) return seen;
  const since = [...seen.since, ...fingerprints];
  if (since.length <= maximumSince) return { ...seen, since: since.toSorted(rising) };
  return { ...seen, base: version, recent: join(recentOf(seen), since), since: [] };
}

/** Adds the recent fingerprints, which are stored in a commit's base and not in the commit itself. */
export const withBase = (seen: Seen, base: Seen): Seen => ({ ...seen, recent: base.recent });

/** Adds full fingerprints to a list of shortened fingerprints. */
function join(recent: readonly number[], added: readonly number[]): readonly number[] {
  const size = recent.length + added.length;
  // A longer list keeps fewer bits of each fingerprint, so the stored fingerprints may have to be shortened further.
  const lost = bitsAt(recent.length) - bitsAt(size);
  return [
    ...recent.map((fingerprint) => fingerprint >>> lost),
    ...added.map((fingerprint) => prefix(fingerprint, size)),
  ].toSorted(rising);
}

function recentOf({ recent, base }: Seen): readonly number[] {
  if (recent !== 'elsewhere') return recent;
  throw new TypeError(`the recent fingerprints are in commit ${base}, which was not read`);
}

/** Returns how many bits of each fingerprint a list of this size keeps. */
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
