import { hash } from 'node:crypto';
import type { SeenRun } from './seen-runs.ts';

/**
 * The events that an instance has had, as fingerprints.
 *
 * The fingerprints of recent events are in the instance's commits: most commits carry those of the latest few events,
 * and name an earlier commit, the base, that carries the rest. Once there are many, they are flushed into sorted runs
 * (see `SeenRun`), which are stored apart, so a commit takes about as much room whether its instance has had ten
 * events or a million.
 */
export interface Seen {
  /** The runs that hold the events of all commits up to the latest flush, the youngest run first. */
  readonly runs: readonly SeenRun[];
  /** The version of the commit that carries `recent`; 0 if `recent` is empty. */
  readonly base: number;
  /**
   * The fingerprints since the latest flush and up to the base, rising, shortened to as many bits as `bitsAt` says;
   * `elsewhere` if only the commit was read, and not its base.
   */
  readonly recent: readonly number[] | 'elsewhere';
  /** The fingerprints since the base, rising. */
  readonly since: readonly number[];
}

/** The largest number of fingerprints in a commit that is not a base, of up to 4 bytes each. */
const maximumSince = 24;

/** The seen events of an instance before its first. */
export const emptySeen: Seen = { runs: [], base: 0, recent: [], since: [] };

/** The fingerprint of an event: 32 bits, derived from its `source` and `id`. */
export function fingerprintOf(event: { readonly source: string; readonly id: string }): number {
  return Number.parseInt(hash('sha1', JSON.stringify([event.source, event.id])).slice(0, 8), 16);
}

/**
 * False if the instance has certainly not had an event since the latest flush. With 1,000 recent events, it is true
 * for about one in 4,000 other events, so the history is read to be sure.
 */
export function mayContainRecent(seen: Seen, fingerprint: number): boolean {
  return seen.since.includes(fingerprint) || contains(recentOf(seen), fingerprint);
}

/** The number of fingerprints that are not in a run. */
export const recentCount = (seen: Seen): number => recentOf(seen).length + seen.since.length;

/** The version of the newest commit whose events are in the runs; 0 if there is no run. */
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

/** Completes what was read of a commit with the recent fingerprints of its base. */
export const withBase = (seen: Seen, base: Seen): Seen => ({ ...seen, recent: base.recent });

/** Adds whole fingerprints to shortened ones. */
function join(recent: readonly number[], added: readonly number[]): readonly number[] {
  const size = recent.length + added.length;
  // The more there are, the fewer bits are kept of each. Stored ones can lose bits later.
  const lost = bitsAt(recent.length) - bitsAt(size);
  return [
    ...recent.map((fingerprint) => fingerprint >>> lost),
    ...added.map((fingerprint) => prefix(fingerprint, size)),
  ].toSorted(rising);
}

function recentOf({ recent, base }: Seen): readonly number[] {
  if (recent !== 'elsewhere') return recent;
  throw new TypeError(`the events seen before are in commit ${base}, which was not read`);
}

/** The number of bits that are kept of each of so many fingerprints. */
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
