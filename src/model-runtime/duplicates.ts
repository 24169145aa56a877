import pMap from 'p-map';
import {
  type Commit,
  type CommitSummary,
  type CommitTail,
  type EventIdentity,
  type Head,
  summaryOf,
  tailOf,
} from '../core/history/commit.ts';
import { isAboveHighWaterMark } from '../core/history/high-water-marks.ts';
import { fingerprintOf, isWholeHistory, mayContain, seenWindow } from '../core/history/seen.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { PositionedEvent } from './protocol.ts';

/** The maximum number of commits that are read concurrently. */
const concurrency = 8;

/** An instance's events of one call, separated into new events and duplicates. */
export interface PartitionedEvents {
  /** New events. */
  readonly unapplied: readonly PositionedEvent[];
  /** Duplicates that a producer sent again. */
  readonly resent: readonly PositionedEvent[];
  /** The commits of redelivered events. A crash may have prevented the completion of their tails. */
  readonly redelivered: ReadonlySet<CommitTail>;
}

/**
 * Separates duplicates from new events. Duplicates are events that the stream redelivered, however long after the
 * first delivery, and events whose `source` and `id` the instance has seen (any of its first 1,000
 * events, the latest 1,000 after that). Of two equal events in one call, the second is the duplicate.
 *
 * Usually the latest commit is enough. If its fingerprints match, the event identities in older commits are read,
 * no further back than the event can be. Of these commits, only those whose tails must be repeated are read in
 * full.
 */
export async function partitionDuplicates(
  store: InstanceStore,
  newest: Commit | undefined,
  events: readonly PositionedEvent[],
): Promise<PartitionedEvents> {
  const firstByName = new Map<string, PositionedEvent>();
  const resent: PositionedEvent[] = [];
  for (const event of events) {
    const name = nameOf(event.event);
    if (firstByName.has(name)) resent.push(event);
    else firstByName.set(name, event);
  }
  const distinct = [...firstByName.values()];
  const doubtful = newest ? distinct.filter((event) => mayBeDuplicate(newest, event)) : [];
  if (!newest || doubtful.length === 0)
    return { unapplied: distinct, resent, redelivered: new Set() };
  const commits = await findInHistory(store, newest, doubtful);
  const unapplied: PositionedEvent[] = [];
  const resentLater: PositionedEvent[] = [];
  const redelivered: CommitSummary[] = [];
  for (const event of distinct) {
    const commit = commits.get(nameOf(event.event));
    if (!commit) unapplied.push(event);
    // Above the marks of the commit: a producer sent it again in a later record.
    else if (isAboveHighWaterMark(commit.highWaterMarks, event.position)) resentLater.push(event);
    else redelivered.push(commit);
  }
  return {
    unapplied,
    resent: [...resentLater, ...resent],
    redelivered: await tailsOf(store, newest, redelivered),
  };
}

/** False if an instance has definitely not had an event. */
export function mayBeDuplicate(
  newest: Pick<Head, 'seen' | 'highWaterMarks'>,
  { event, position }: PositionedEvent,
): boolean {
  if (mayContain(newest.seen, fingerprintOf(event))) return true;
  return !isWholeHistory(newest.seen) && !isAboveHighWaterMark(newest.highWaterMarks, position);
}

/** Finds the commits that contain these events. Returns their summaries by event name. */
async function findInHistory(
  store: InstanceStore,
  newest: Commit,
  doubtful: readonly PositionedEvent[],
): Promise<Map<string, CommitSummary>> {
  const wanted = new Map(doubtful.map((event) => [nameOf(event.event), event]));
  const found = new Map<string, CommitSummary>();
  /** By name, the total number of the instance's events when the record arrived. */
  const totals = new Map<string, number>();
  for await (const commit of newestFirst(store, newest)) {
    for (const event of commit.events) {
      const name = nameOf(event);
      if (wanted.delete(name)) found.set(name, commit);
    }
    for (const [name, event] of wanted)
      if (!mayBeInEarlierCommit(commit, event, totals)) wanted.delete(name);
    if (wanted.size === 0) break;
  }
  return found;
}

/**
 * False if no earlier commit can contain an event.
 *
 * @param totals by name, the total number of the instance's events when the record arrived, as far as known.
 */
function mayBeInEarlierCommit(
  { seen, highWaterMarks: marks }: CommitSummary,
  event: PositionedEvent,
  totals: Map<string, number>,
): boolean {
  // Before the event that caused a false positive, the fingerprint no longer matches.
  if (seen.sets !== 'elsewhere' && !mayBeDuplicate({ seen, highWaterMarks: marks }, event))
    return false;
  // The record arrived before this commit was made.
  if (!isAboveHighWaterMark(marks, event.position)) return true;
  const name = nameOf(event.event);
  const total = totals.get(name) ?? seen.total;
  totals.set(name, total);
  return total - seen.total < 2 * seenWindow;
}

async function* newestFirst(store: InstanceStore, newest: Commit): AsyncGenerator<CommitSummary> {
  yield summaryOf(newest);
  if (newest.version > 1) yield* store.summariesBefore(newest, newest.version);
}

/** Reads the tails of commits, each once. */
async function tailsOf(
  store: InstanceStore,
  newest: Commit,
  summaries: readonly CommitSummary[],
): Promise<ReadonlySet<CommitTail>> {
  const versions = [...new Set(summaries.map(({ version }) => version))];
  const read = async (version: number): Promise<CommitTail> => {
    if (version === newest.version) return tailOf(newest);
    const { commits } = await store.commitsFrom(newest, version, 1);
    if (commits[0]?.version === version) return tailOf(commits[0]);
    throw new Error(`commit ${version} of ${newest.model}/${newest.transaction} is missing`);
  };
  return new Set(await pMap(versions, read, { concurrency }));
}

const nameOf = (event: EventIdentity) => JSON.stringify([event.source, event.id]);
