import { type Commit, type Head, isPast } from '../core/commit.ts';
import { fingerprintOf, mayHold, remembersAll, seenWindow } from '../core/seen.ts';
import type { InstanceStore } from './ports.ts';
import type { PositionedEvent } from './protocol.ts';

/** An instance's events of one call, by whether it has had them. */
export interface SortedOut {
  /** Those that it has not had. */
  readonly fresh: readonly PositionedEvent[];
  /** Those that somebody sent again. */
  readonly repeated: readonly PositionedEvent[];
  /** The commits of those that the stream delivered again: a crash may have left their tails undone. */
  readonly redelivered: ReadonlySet<Commit>;
}

/**
 * Tells the events that an instance has had already from those that it has not:
 * those that the stream delivered again, however long ago they came first, and
 * those whose `source` and `id` the instance has seen (all of them up to 1,000
 * events, the latest 1,000 after that). Of two that are the same, the first counts.
 *
 * Nearly always the newest commit alone tells; only where it says "perhaps" are
 * older commits read, no further back than the answer can lie.
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
  return {
    fresh: candidates.filter((candidate) => !commitOf(candidate)),
    repeated: [...known.filter(isRepeated), ...twice],
    redelivered: new Set(known.filter((each) => !isRepeated(each)).map((each) => commitOf(each)!)),
  };
}

/** False when an instance surely has not had an event. */
export function mayHaveHad(newest: Head, { event, position }: PositionedEvent): boolean {
  if (mayHold(newest.seen, fingerprintOf(event))) return true;
  return !remembersAll(newest.seen) && !isPast(newest.marks, position);
}

/** The commits that hold some events, by the events' names. */
async function findInHistory(
  store: InstanceStore,
  newest: Commit,
  doubtful: readonly PositionedEvent[],
): Promise<Map<string, Commit>> {
  const open = new Map(doubtful.map((candidate) => [nameOf(candidate.event), candidate]));
  const found = new Map<string, Commit>();
  /** By name, how many events the instance had had when the record came. */
  const came = new Map<string, number>();
  for await (const commit of newestFirst(store, newest)) {
    const { marks, seen } = commit;
    for (const [name, { position }] of open) {
      // Behind this commit lies nothing of its stream position.
      if (!isPast(marks, position)) continue;
      if (!came.has(name)) came.set(name, seen.total);
      // And nothing that was within the window when it came.
      if (came.get(name)! - seen.total >= 2 * seenWindow) open.delete(name);
    }
    for (const { event } of commit.entries) {
      const name = nameOf(event);
      if (open.delete(name)) found.set(name, commit);
    }
    if (open.size === 0) break;
  }
  return found;
}

async function* newestFirst(store: InstanceStore, newest: Commit): AsyncGenerator<Commit> {
  yield newest;
  if (newest.version > 1) yield* store.before(newest, newest.version);
}

const nameOf = (event: { source: string; id: string }) => JSON.stringify([event.source, event.id]);
