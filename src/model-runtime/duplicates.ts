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

/** The maximum number of commits that are read concurrently. */
const concurrency = 8;

/** One instance's events in one invocation, separated into new events and duplicates. */
export interface PartitionedEvents {
  /** New events, in order. */
  readonly unapplied: readonly PositionedEvent[];
  /** Duplicates that a producer sent again. */
  readonly resent: readonly PositionedEvent[];
  /** The commits of redelivered events. The tails of these commits may be incomplete because of a crash. */
  readonly redelivered: ReadonlySet<CommitTail>;
}

/**
 * Separates duplicates from new events. Duplicates are events that the stream redelivered and events that a producer
 * sent again, regardless of their age. `source` and `id` identify an event. If an event occurs twice in `events`, the
 * second occurrence is the duplicate.
 *
 * A matching fingerprint only selects the commits to read. An event is a duplicate if one of these commits contains its
 * `source` and `id`.
 */
export async function partitionDuplicates(
  store: InstanceStore,
  newest: Commit | undefined,
  events: readonly PositionedEvent[],
): Promise<PartitionedEvents> {
  const repeats = partitionRepeats(events);
  if (!newest) return repeats;
  const { unapplied: distinct, resent } = repeats;
  const commits = await findInHistory(store, newest, distinct);
  const unapplied: PositionedEvent[] = [];
  const resentLater: PositionedEvent[] = [];
  const redelivered: CommitSummary[] = [];
  for (const event of distinct) {
    const commit = commits.get(nameOf(event.event));
    if (!commit) unapplied.push(event);
    // A position above the commit's high-water marks is in a later record, so a producer sent the event again.
    else if (isAboveHighWaterMark(commit.highWaterMarks, event.position)) resentLater.push(event);
    else redelivered.push(commit);
  }
  return {
    unapplied,
    resent: [...resentLater, ...resent],
    redelivered: await tailsOf(store, newest, redelivered),
  };
}

/**
 * Separates events that repeat an earlier event in `events`. Does not check whether the instance has already processed
 * the events.
 */
export function partitionRepeats(events: readonly PositionedEvent[]): PartitionedEvents {
  const firstByName = new Map<string, PositionedEvent>();
  const resent: PositionedEvent[] = [];
  for (const event of events) {
    const name = nameOf(event.event);
    if (firstByName.has(name)) resent.push(event);
    else firstByName.set(name, event);
  }
  return { unapplied: [...firstByName.values()], resent, redelivered: new Set() };
}

/** Events of an instance, and the head that they are compared with. */
export interface EventsOfHead {
  readonly head: Head;
  readonly events: readonly PositionedEvent[];
}

/**
 * Returns, for each instance, whether any of its events may be a duplicate. If the result is false, the head has
 * processed none of the events.
 */
export async function mayHaveDuplicates(
  store: InstanceStore,
  heads: readonly EventsOfHead[],
): Promise<SettledResult<boolean>[]> {
  const lookups = heads.map(lookupOf);
  const isRecent = lookups.map(({ head, fingerprints }) =>
    fingerprints.some((fingerprint) => mayContainRecent(head.seen, fingerprint)),
  );
  const flushed = lookups.filter(
    ({ head }, index) => !isRecent[index] && head.seen.runs.length > 0,
  );
  const answers = await store.findFlushed(flushed);
  const found = new Map(flushed.map((each, index) => [each, answers[index]!]));
  return lookups.map((each, index) => {
    const answer = found.get(each);
    if (!answer) return { value: isRecent[index]! };
    return 'error' in answer ? answer : { value: answer.value.size > 0 };
  });
}

const lookupOf = ({ head, events }: EventsOfHead) => ({
  head,
  fingerprints: events.map(({ event }) => fingerprintOf(event)),
});

/** Finds the commits that contain the given events. Returns the commits' summaries by event name. */
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

/** Searches the commits since the latest flush, newest first. */
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
    // If this commit and its predecessors cannot contain the fingerprint, the match was due to a later event with the
    // same fingerprint.
    if (commit.seen.recent !== 'elsewhere')
      for (const [name, fingerprint] of wanted)
        if (!mayContainRecent(commit.seen, fingerprint)) wanted.delete(name);
    if (wanted.size === 0) break;
  }
  return found;
}

/** Searches the commits that, according to the sorted runs, contain a matching fingerprint. */
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

/** Reads commits' tails. If a commit occurs repeatedly, its tail is read only once. */
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
