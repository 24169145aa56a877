import { BitReader, BitWriter } from './bit-stream.ts';

/**
 * A sorted run: the fingerprints of all events in consecutive commits of an instance, with the versions of those
 * commits, in immutable pages. Runs form levels, as in a log-structured merge tree. Each flush of recent events is
 * merged into the run of the first level. A run of ten flushes moves to the next level, where it is merged
 * into a run of up to a hundred flushes, and so on. A lookup reads one page of each run.
 *
 * `to` and `flushes` identify a run: every process builds the same run from the history of the instance.
 *
 * @see O'Neil et al., The log-structured merge-tree (LSM-tree), Acta Informatica 33, 1996
 */
export interface SeenRun {
  /** The version of the latest commit in the run. */
  readonly to: number;
  /** The number of flushes that were merged into the run. */
  readonly flushes: number;
  /** The number of events in the run. */
  readonly count: number;
}

/** The limits at which recent events are flushed into a run and full runs move to the next level. */
export interface SeenLimits {
  /** The number of recent events that triggers a flush into a run. */
  readonly recent: number;
  /**
   * The number of flushes in a full run of the first level, and the number of full runs in a full run of the next
   * level.
   */
  readonly fanout: number;
}

/**
 * The default limits. With these limits, a lookup in an instance with 100,000 events reads two pages, and a flush
 * writes about 14 pages on average.
 */
export const defaultSeenLimits: SeenLimits = { recent: 1000, fanout: 10 };

/** An event in a run: its fingerprint and the commit that contains it. */
export interface SeenEntry {
  readonly fingerprint: number;
  /** The version of the commit that contains the event. */
  readonly version: number;
}

/** A run that a flush builds, and the runs that are merged into it. */
export interface RunMerge {
  readonly result: SeenRun;
  readonly sources: readonly SeenRun[];
}

/** The number of entries that fit into a page of 4 KB, which is one read unit. */
const entriesPerPage = 750;

const fingerprintCount = 2 ** 32;

/**
 * Plans which runs a flush merges.
 *
 * @param runs the existing runs, youngest first.
 * @param flushed the run that contains only the flushed events.
 * @returns the runs after the flush, and the merges to write.
 */
export function planFlush(
  runs: readonly SeenRun[],
  flushed: SeenRun,
  { fanout }: SeenLimits,
): { readonly runs: readonly SeenRun[]; readonly merges: readonly RunMerge[] } {
  const after: SeenRun[] = [];
  const merges: RunMerge[] = [];
  let moving = flushed;
  for (let level = 0; ; level++) {
    const run = runs[level];
    const fits = run && run.flushes + moving.flushes <= fanout ** (level + 1);
    const placed = fits ? mergedRun(run, moving) : moving;
    if (fits) merges.push({ result: placed, sources: [run, moving] });
    else if (moving === flushed) merges.push({ result: placed, sources: [flushed] });
    after.push(placed);
    if (!run || fits) return { runs: [...after, ...runs.slice(level + 1)], merges };
    moving = run;
  }
}

const mergedRun = (older: SeenRun, younger: SeenRun): SeenRun => ({
  to: younger.to,
  flushes: older.flushes + younger.flushes,
  count: older.count + younger.count,
});

/** Returns the number of pages in a run. All pages cover equally large ranges of fingerprints. */
export const pageCount = ({ count }: SeenRun): number => Math.ceil(count / entriesPerPage);

/** Returns the index of the page whose range contains a fingerprint. */
export const pageOf = (run: SeenRun, fingerprint: number): number =>
  Math.floor((fingerprint * pageCount(run)) / fingerprintCount);

/** Distributes entries across a run's pages. */
export function toPages(run: SeenRun, entries: readonly SeenEntry[]): SeenPage[] {
  const pages = Array.from({ length: pageCount(run) }, (): SeenEntry[] => []);
  for (const entry of entries) pages[pageOf(run, entry.fingerprint)]!.push(entry);
  return pages.map((page) => SeenPage.of(page));
}

/** A page of a run: the events whose fingerprints are in the page's range. */
export class SeenPage {
  /** The fingerprints in ascending order, at the same indexes as their versions. */
  readonly #fingerprints: readonly number[];
  readonly #versions: readonly number[];

  private constructor(fingerprints: readonly number[], versions: readonly number[]) {
    this.#fingerprints = fingerprints;
    this.#versions = versions;
  }

  /** Creates a page from its entries. */
  static of(entries: readonly SeenEntry[]): SeenPage {
    const sorted = entries.toSorted(
      (a, b) => a.fingerprint - b.fingerprint || a.version - b.version,
    );
    return new SeenPage(
      sorted.map(({ fingerprint }) => fingerprint),
      sorted.map(({ version }) => version),
    );
  }

  /**
   * Decodes the output of `encode`.
   *
   * @throws RangeError if the bytes are truncated.
   */
  static decode(run: SeenRun, index: number, bytes: Uint8Array): SeenPage {
    const reader = new BitReader(bytes);
    const first = firstOf(run, index);
    const fingerprints = reader.rising().map((difference) => first + difference);
    const oldest = reader.number();
    const width = reader.bits(6);
    return new SeenPage(
      fingerprints,
      fingerprints.map(() => oldest + reader.bits(width)),
    );
  }

  /**
   * Encodes the page. Fingerprints are relative to the lowest fingerprint that the page can contain, and versions are
   * relative to the oldest version.
   */
  encode(run: SeenRun, index: number): Uint8Array {
    const first = firstOf(run, index);
    const oldest = this.#versions.reduce(
      (low, version) => Math.min(low, version),
      this.#versions[0] ?? 0,
    );
    const newest = this.#versions.reduce((high, version) => Math.max(high, version), oldest);
    const width = Math.ceil(Math.log2(newest - oldest + 1));
    const writer = new BitWriter();
    writer.rising(this.#fingerprints.map((fingerprint) => fingerprint - first));
    writer.number(oldest);
    writer.bits(width, 6);
    for (const version of this.#versions) writer.bits(version - oldest, width);
    return writer.bytes();
  }

  /** Returns the events in the page, sorted by fingerprint. */
  entries(): SeenEntry[] {
    return this.#fingerprints.map((fingerprint, at) => ({
      fingerprint,
      version: this.#versions[at]!,
    }));
  }

  /** Returns the versions of the commits that contain an event with this fingerprint. */
  versionsOf(fingerprint: number): number[] {
    let low = 0;
    let high = this.#fingerprints.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#fingerprints[middle]! < fingerprint) low = middle + 1;
      else high = middle;
    }
    const found: number[] = [];
    while (this.#fingerprints[low] === fingerprint) found.push(this.#versions[low++]!);
    return found;
  }
}

/** Returns the lowest fingerprint that a page can contain. */
const firstOf = (run: SeenRun, index: number) =>
  Math.ceil((index * fingerprintCount) / pageCount(run));
