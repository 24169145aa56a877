import type { StreamPosition } from './commit.ts';
import { isLaterSequence } from './sequence.ts';

/** By shard, the highest sequence number among all of an instance's events. */
export type HighWaterMarks = Readonly<Record<string, string>>;

/** By shard, the day on which its mark was raised last: days since 1970, UTC. */
type MarkDays = Readonly<Record<string, number>>;

/** The marks of an instance after a commit, and how old they are. */
export interface AgedHighWaterMarks {
  readonly highWaterMarks: HighWaterMarks;
  /** The days of the marks that the commit did not raise; left out when it raised all of them. */
  readonly highWaterMarkDays?: MarkDays;
}

/**
 * How many days a mark is kept that is not raised any more, as that of a closed shard. Kinesis keeps no
 * record longer than 365 days, so none that came before the mark was raised can be delivered after that.
 *
 * @see https://docs.aws.amazon.com/streams/latest/dev/kinesis-extended-retention.html
 */
const retentionDays = 366;

/** True when nothing at or behind this place of its shard can have been applied yet. */
export function isAboveHighWaterMark(
  marks: HighWaterMarks,
  { shard, sequence }: StreamPosition,
): boolean {
  const mark = marks[shard];
  return mark === undefined || isLaterSequence(sequence, mark);
}

/**
 * Raises marks to the positions of a commit's events, and drops those that nothing can fall below any more.
 *
 * @param before the marks that the commit before it left, made at its `at`.
 * @param at when the commit is made, RFC 3339 in UTC; not before the one before it.
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
