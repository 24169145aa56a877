import { isLaterSequence, type StreamPosition } from './sequence.ts';

/** The highest sequence number among an instance's events, by shard. */
export type HighWaterMarks = Readonly<Record<string, string>>;

/** The day on which each shard's mark was last raised, in days since 1970 (UTC). */
type MarkDays = Readonly<Record<string, number>>;

/** An instance's high-water marks after a commit, and their age. */
export interface AgedHighWaterMarks {
  readonly highWaterMarks: HighWaterMarks;
  /** The days on which the marks that this commit did not raise were last raised; omitted if it raised all marks. */
  readonly highWaterMarkDays?: MarkDays;
}

/**
 * The maximum age of a mark, in days since it was last raised. The mark of a closed shard, for example, is never raised
 * again. Kinesis retains records for at most 365 days, so records up to an expired mark can no longer be delivered.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/kinesis-extended-retention.html
 */
const retentionDays = 366;

/**
 * Returns true if a position is above its shard's mark or the shard has no mark. Unless the mark has expired, no commit
 * of the instance then contains an event at or after this position.
 */
export function isAboveHighWaterMark(
  marks: HighWaterMarks,
  { shard, sequence }: StreamPosition,
): boolean {
  const mark = marks[shard];
  return mark === undefined || isLaterSequence(sequence, mark);
}

/**
 * Raises the marks to the positions of a commit's events and drops marks that have expired.
 *
 * @param before the marks after the previous commit, and the `at` of that commit.
 * @param at when the commit is made, RFC 3339 in UTC; not earlier than the previous commit.
 */
export function raiseHighWaterMarks(
  before: (AgedHighWaterMarks & { readonly at: string }) | undefined,
  positions: readonly StreamPosition[],
  at: string,
): AgedHighWaterMarks {
  const marks: Record<string, string> = { ...before?.highWaterMarks };
  const raised = new Set<string>();
  for (const position of positions) {
    if (!isAboveHighWaterMark(marks, position)) continue;
    marks[position.shard] = position.sequence;
    raised.add(position.shard);
  }
  const markDays: Record<string, number> = {};
  for (const shard of Object.keys(marks)) {
    if (raised.has(shard)) continue;
    const day = before!.highWaterMarkDays?.[shard] ?? dayOf(before!.at);
    if (dayOf(at) - day > retentionDays) delete marks[shard];
    else markDays[shard] = day;
  }
  return Object.keys(markDays).length > 0
    ? { highWaterMarks: marks, highWaterMarkDays: markDays }
    : { highWaterMarks: marks };
}

const dayOf = (at: string) => Math.floor(Date.parse(at) / 86_400_000);
