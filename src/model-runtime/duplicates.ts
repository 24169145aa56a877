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

/** Commits read at the same time. */
const concurrency = 8;

/** An instance's events of one call, by whether the instance has had them. */
export interface PartitionedEvents {
  /** New events. */
  readonly unapplied: readonly PositionedEvent[];
  /** Duplicates that a producer sent again. */
  readonly resent: readonly PositionedEvent[];
  /** The commits of the events that the stream delivered again: a crash may have left their tails undone. */
  readonly redelivered: ReadonlySet<CommitTail>;
}

/**
 * Separates the events that an instance has had from those that it has not: events that the stream delivered again,
 * however long ago they came first, and events whose `source` and `id` the instance has seen (all of them up to 1,000
 * events, the latest 1,000 after that). Of two that are the same, the first counts.
 *
 * Usually the newest commit is enough. When it says "perhaps", the names in older commits are read, no
 * further back than the event can be; of these commits only those whose tails have to be done again are
 * read in full.
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
    // Nothing that a commit holds came after it.
    else if (isAboveHighWaterMark(commit.highWaterMarks, event.position)) resentLater.push(event);
    else redelivered.push(commit);
  }
  return {
    unapplied,
    resent: [...resentLater, ...resent],
    redelivered: await tailsOf(store, newest, redelivered),
  };
}

/** False when an instance surely has not had an event. */
export function mayBeDuplicate(
  newest: Pick<Head, 'seen' | 'highWaterMarks'>,
  { event, position }: PositionedEvent,
): boolean {
  if (mayContain(newest.seen, fingerprintOf(event))) return true;
  return !isWholeHistory(newest.seen) && !isAboveHighWaterMark(newest.highWaterMarks, position);
}

/** Finds the commits that hold these events; returns their summaries by the events' names. */
async function findInHistory(
  store: InstanceStore,
  newest: Commit,
  doubtful: readonly PositionedEvent[],
): Promise<Map<string, CommitSummary>> {
  const wanted = new Map(doubtful.map((event) => [nameOf(event.event), event]));
  const found = new Map<string, CommitSummary>();
  /** By name, how many events the instance had had when the record came. */
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
 * False when no commit before this one can hold an event.
 *
 * @param totals by name, how many events the instance had had when the record came, as far as is known yet.
 */
function mayBeInEarlierCommit(
  { seen, highWaterMarks: marks }: CommitSummary,
  event: PositionedEvent,
  totals: Map<string, number>,
): boolean {
  // A fingerprint that another event happens to share is there no more once that event is passed.
  if (seen.sets !== 'elsewhere' && !mayBeDuplicate({ seen, highWaterMarks: marks }, event))
    return false;
  // The record came before this commit was made.
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

/** Reads the tails of commits, each of them once. */
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
