import { type CounterChange, changesBetween } from '../core/counters/counter.ts';
import { clockTolerance, type Generation, maximumRebuildDuration } from './generations.ts';
import type { Marker, Markers } from './markers.ts';
import { isLaterRevision, type RowChange } from './row-change.ts';

/** The counter changes that result from a row change. */
export interface CountedChange {
  /** The position of the row change in its shard. */
  readonly sequence: string;
  readonly changes: readonly CounterChange[];
}

/**
 * The version in the marker of a deleted row. This version is lower than the version of any row, so a new row with the
 * same key counts as a later revision.
 */
const deletedVersion = -1;

/**
 * Converts row changes into changes to a generation's counters. The result for a row change is always the same, even if
 * the change is redelivered after the rebuild has ended: markers and the period of a rebuild never change.
 *
 * - Changes before a rebuild are not counted because the scan reads rows that already contain them.
 * - During a rebuild, the first change to an instance without a marker counts the instance in its new state. If the
 *   instance has a marker, only changes to later revisions count.
 * - After a rebuild, all changes count.
 *
 * @param shard the shard of the changes.
 * @param changes in shard order.
 */
export async function changesInGeneration(
  markers: Markers,
  { number, rebuild }: Generation,
  shard: string,
  changes: readonly RowChange[],
): Promise<CountedChange[]> {
  if (!rebuild) return changes.map(ordinary);
  const { from, until = from + maximumRebuildDuration } = rebuild;
  const claimed = firstOfEach(changes.filter((change) => isClaimed(change, from, until)));
  const known = await markers.claim(
    number,
    claimed.map((change) => markerOf(change, shard)),
  );
  const early = changes.filter(({ at, instance }) => at < from && !known.has(instance));
  const others = early.filter(({ at }) => at >= from - clockTolerance);
  const read = await markers.read(number, [...new Set(others.map(({ instance }) => instance))]);
  return changes.map((change) => {
    if (change.at > until && !isClaimed(change, from, until)) return ordinary(change);
    const marker = known.get(change.instance) ?? read.get(change.instance);
    return marker ? countedWith(marker, change, shard) : { sequence: change.sequence, changes: [] };
  });
}

/**
 * Returns true if a change creates a marker, unless the instance already has one. For new rows, the period of the
 * rebuild is extended by the clock tolerance because the times of two changes to a row can be in the wrong order.
 * Otherwise, a later change with an earlier time would count the new row again.
 */
const isClaimed = ({ at, before }: RowChange, from: number, until: number) =>
  at >= from && at <= (before ? until : until + clockTolerance);

const firstOfEach = (changes: readonly RowChange[]): RowChange[] => [
  ...new Map(changes.toReversed().map((change) => [change.instance, change])).values(),
];

const writerOf = (shard: string, { sequence }: RowChange) => `${shard}/${sequence}`;

const markerOf = (change: RowChange, shard: string): Marker => ({
  instance: change.instance,
  version: change.after?.version ?? deletedVersion,
  queueVersion: change.after?.queueVersion ?? deletedVersion,
  isLate: change.after?.isLate ?? false,
  writer: writerOf(shard, change),
});

function countedWith(marker: Marker, change: RowChange, shard: string): CountedChange {
  const { sequence, before, after } = change;
  if (marker.writer === writerOf(shard, change))
    return { sequence, changes: changesBetween([], after?.counters ?? []) };
  const counts = after
    ? isLaterRevision(after, marker)
    : before !== undefined && !isLaterRevision(marker, before);
  return counts ? ordinary(change) : { sequence, changes: [] };
}

const ordinary = ({ sequence, before, after }: RowChange): CountedChange => ({
  sequence,
  changes: changesBetween(before?.counters ?? [], after?.counters ?? []),
});
