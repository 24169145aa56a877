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
import { fingerprintOf, flushedVersion, mayContainRecent } from '../core/history/seen.ts';
import type { FlushedVersions, InstanceStore } from '../stores/instance-store.ts';
import type { SettledResult } from '../stores/settled-result.ts';
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
 * Separates the events that an instance has had from new ones, however long ago they came: those that the stream
 * delivered again, and those that a producer sent again. `source` and `id` identify an event. Of two in `events` that
 * are the same, the first one counts.
 *
 * A fingerprint that matches only names the commits to read: an event is a duplicate if one of them holds its name.
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
  if (!newest) return { unapplied: distinct, resent, redelivered: new Set() };
  const commits = await findInHistory(store, newest, distinct);
  const unapplied: PositionedEvent[] = [];
  const resentLater: PositionedEvent[] = [];
  const redelivered: CommitSummary[] = [];
  for (const event of distinct) {
    const commit = commits.get(nameOf(event.event));
    if (!commit) unapplied.push(event);
    // All events of a commit came before the marks that it raised.
    else if (isAboveHighWaterMark(commit.highWaterMarks, event.position)) resentLater.push(event);
    else redelivered.push(commit);
  }
  return {
    unapplied,
    resent: [...resentLater, ...resent],
    redelivered: await tailsOf(store, newest, redelivered),
  };
}

/** Events of an instance, and the instance as some commit left it. */
export interface EventsOfHead {
  readonly head: Head;
  readonly events: readonly PositionedEvent[];
}

/** Tells of each instance whether one of the events may be a duplicate; if not, all of them are new to this head. */
export async function mayHaveDuplicates(
  store: InstanceStore,
  heads: readonly EventsOfHead[],
): Promise<SettledResult<boolean>[]> {
  const isRecent = heads.map(({ head, events }) =>
    events.some((event) => mayContainRecent(head.seen, fingerprintOf(event.event))),
  );
  const flushed = heads.filter(({ head }, index) => !isRecent[index] && head.seen.runs.length > 0);
  const answers = await store.findFlushed(flushed.map(lookupOf));
  const found = new Map(flushed.map((each, index) => [each, answers[index]!]));
  return heads.map((each, index) => {
    const answer = found.get(each);
    if (!answer) return { value: isRecent[index]! };
    return 'error' in answer ? answer : { value: answer.value.size > 0 };
  });
}

const lookupOf = ({ head, events }: EventsOfHead) => ({
  head,
  fingerprints: events.map(({ event }) => fingerprintOf(event)),
});

/** Finds the commits that hold events; returns their summaries by the events' names. */
async function findInHistory(
  store: InstanceStore,
  newest: Commit,
  events: readonly PositionedEvent[],
): Promise<Map<string, CommitSummary>> {
  const recent = events.filter(({ event }) => mayContainRecent(newest.seen, fingerprintOf(event)));
  const found = await findRecent(store, newest, recent);
  const others = events.filter(({ event }) => !found.has(nameOf(event)));
  if (newest.seen.runs.length === 0 || others.length === 0) return found;
  const [answer] = await store.findFlushed([lookupOf({ head: newest, events: others })]);
  if ('error' in answer!) throw answer.error;
  return new Map([...found, ...(await findFlushed(store, newest, others, answer!.value))]);
}

/** Searches the commits since the latest flush. */
async function findRecent(
  store: InstanceStore,
  newest: Commit,
  events: readonly PositionedEvent[],
): Promise<Map<string, CommitSummary>> {
  const wanted = new Map(events.map(({ event }) => [nameOf(event), fingerprintOf(event)]));
  const found = new Map<string, CommitSummary>();
  if (wanted.size === 0) return found;
  for await (const commit of newestFirst(store, newest)) {
    if (commit.version <= flushedVersion(newest.seen)) break;
    for (const event of commit.events) {
      const name = nameOf(event);
      if (wanted.delete(name)) found.set(name, commit);
    }
    // A fingerprint that is not in the commits up to this one belongs to another event, which was passed.
    if (commit.seen.recent !== 'elsewhere')
      for (const [name, fingerprint] of wanted)
        if (!mayContainRecent(commit.seen, fingerprint)) wanted.delete(name);
    if (wanted.size === 0) break;
  }
  return found;
}

/** Searches the commits that have matching fingerprints in the sorted runs. */
async function findFlushed(
  store: InstanceStore,
  newest: Commit,
  events: readonly PositionedEvent[],
  versions: FlushedVersions,
): Promise<Map<string, CommitSummary>> {
  const found = new Map<string, CommitSummary>();
  const commits = await store.summariesAt(newest, [...new Set([...versions.values()].flat())]);
  const wanted = new Set(events.map(({ event }) => nameOf(event)));
  for (const commit of commits)
    for (const event of commit.events)
      if (wanted.has(nameOf(event))) found.set(nameOf(event), commit);
  return found;
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
