import pMap from 'p-map';
import {
  type Commit,
  type CommitSummary,
  type CommitTail,
  type EventName,
  type Head,
  summaryOf,
  tailOf,
} from '../core/history/commit.ts';
import { isPast } from '../core/history/high-water-marks.ts';
import { fingerprintOf, mayHold, remembersAll, seenWindow } from '../core/history/seen.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { PositionedEvent } from './protocol.ts';

/** Commits read at the same time. */
const concurrency = 8;

/** An instance's events of one call, by whether it has had them. */
export interface SortedOut {
  /** Those that it has not had. */
  readonly fresh: readonly PositionedEvent[];
  /** Those that somebody sent again. */
  readonly repeated: readonly PositionedEvent[];
  /** The commits of those that the stream delivered again: a crash may have left their tails undone. */
  readonly redelivered: ReadonlySet<CommitTail>;
}

/**
 * Tells the events that an instance has had already from those that it has not:
 * those that the stream delivered again, however long ago they came first, and
 * those whose `source` and `id` the instance has seen (all of them up to 1,000
 * events, the latest 1,000 after that). Of two that are the same, the first counts.
 *
 * Usually the newest commit is enough. When it says "perhaps", the names in older commits are read, no
 * further back than the event can be; of these commits only those whose tails have to be done again are
 * read in full.
 */
export async function sortOut(
  store: InstanceStore,
  newest: Commit | undefined,
  events: readonly PositionedEvent[],
): Promise<SortedOut> {
  const first = new Map<string, PositionedEvent>();
  const twice: PositionedEvent[] = [];
  for (const each of events) {
    const name = nameOf(each.event);
    if (first.has(name)) twice.push(each);
    else first.set(name, each);
  }
  const candidates = [...first.values()];
  const doubtful = newest ? candidates.filter((each) => mayHaveHad(newest, each)) : [];
  if (!newest || doubtful.length === 0)
    return { fresh: candidates, repeated: twice, redelivered: new Set() };
  const had = await findInHistory(store, newest, doubtful);
  const commitOf = (each: PositionedEvent) => had.get(nameOf(each.event));
  // Nothing that a commit holds came after it.
  const isRepeated = (each: PositionedEvent) => isPast(commitOf(each)!.marks, each.position);
  const known = candidates.filter(commitOf);
  const again = known.filter((each) => !isRepeated(each)).map((each) => commitOf(each)!);
  return {
    fresh: candidates.filter((candidate) => !commitOf(candidate)),
    repeated: [...known.filter(isRepeated), ...twice],
    redelivered: await tailsOf(store, newest, again),
  };
}

/** False when an instance surely has not had an event. */
export function mayHaveHad(
  newest: Pick<Head, 'seen' | 'marks'>,
  { event, position }: PositionedEvent,
): boolean {
  if (mayHold(newest.seen, fingerprintOf(event))) return true;
  return !remembersAll(newest.seen) && !isPast(newest.marks, position);
}

/** The summaries of the commits that hold some events, by the events' names. */
async function findInHistory(
  store: InstanceStore,
  newest: Commit,
  doubtful: readonly PositionedEvent[],
): Promise<Map<string, CommitSummary>> {
  const open = new Map(doubtful.map((candidate) => [nameOf(candidate.event), candidate]));
  const found = new Map<string, CommitSummary>();
  /** By name, how many events the instance had had when the record came. */
  const came = new Map<string, number>();
  for await (const commit of newestFirst(store, newest)) {
    for (const event of commit.events) {
      const name = nameOf(event);
      if (open.delete(name)) found.set(name, commit);
    }
    for (const [name, candidate] of open)
      if (!mayBeBefore(commit, candidate, came)) open.delete(name);
    if (open.size === 0) break;
  }
  return found;
}

/**
 * False when no commit before this one can hold an event.
 *
 * @param came by name, how many events the instance had had when the record came, as far as is known yet.
 */
function mayBeBefore(
  { seen, marks }: CommitSummary,
  candidate: PositionedEvent,
  came: Map<string, number>,
): boolean {
  // A fingerprint that another event happens to share is there no more once that event is passed.
  if (seen.sets !== 'elsewhere' && !mayHaveHad({ seen, marks }, candidate)) return false;
  // The record came before this commit was made.
  if (!isPast(marks, candidate.position)) return true;
  const name = nameOf(candidate.event);
  if (!came.has(name)) came.set(name, seen.total);
  return came.get(name)! - seen.total < 2 * seenWindow;
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
    const { commits } = await store.from(newest, version, 1);
    if (commits[0]?.version === version) return tailOf(commits[0]);
    throw new Error(`commit ${version} of ${newest.model}/${newest.transaction} is missing`);
  };
  return new Set(await pMap(versions, read, { concurrency }));
}

const nameOf = (event: EventName) => JSON.stringify([event.source, event.id]);
