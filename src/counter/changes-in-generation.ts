import { type CounterChange, changesBetween } from '../core/counters/counter.ts';
import { clockTolerance, type Generation, maximumRebuildDuration } from './generations.ts';
import type { Marker, Markers } from './markers.ts';
import { isLaterRevision, type RowChange } from './row-change.ts';

/** The changes of counters that result from a change of a row. */
export interface CountedChange {
  /** The position of the row's change in its shard. */
  readonly sequence: string;
  readonly changes: readonly CounterChange[];
}

/** The version of a deleted row in its marker. A new row with the same key then counts as a later revision. */
const deletedVersion = -1;

/**
 * Returns the changes of a generation's counters. The result for a change of a row is always the same, even if the
 * change is delivered again after the rebuild ended, because markers and the period of a rebuild never change.
 *
 * - Changes before a rebuild are part of the rows that its scan reads.
 * - During a rebuild, the first change of an instance without a marker counts the instance in its new state. If the
 *   instance has a marker, only changes of later revisions count.
 * - After a rebuild, all changes count.
 *
 * @param shard the shard of the changes.
 * @param changes in the order of the shard.
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
 * True if a change creates a marker. New rows do so for a little longer, because the times of two changes of a row can
 * be in the wrong order: otherwise, an earlier change of a row without a marker would count the row again.
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
