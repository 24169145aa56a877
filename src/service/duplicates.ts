import { type Commit, isPast } from '../core/commit.ts';
import { fingerprintOf, mayHold, remembersAll, seenWindow } from '../core/seen.ts';
import type { InstanceStore } from './ports.ts';
import type { PositionedEvent } from './protocol.ts';

/**
 * Leaves out the events that an instance has had already: those that the stream
 * delivered again, however long ago they came first, and those whose `source`
 * and `id` the instance has seen (all of them up to 1,000 events, the latest
 * 1,000 after that). Of two that are the same, the first is kept.
 *
 * Nearly always the newest commit alone tells; only where it says "perhaps" are
 * older commits read, no further back than the answer can lie.
 */
export async function dropDuplicates(
  store: InstanceStore,
  newest: Commit | undefined,
  events: readonly PositionedEvent[],
): Promise<PositionedEvent[]> {
  const first = new Map<string, PositionedEvent>();
  for (const each of events) {
    const name = nameOf(each.event);
    if (!first.has(name)) first.set(name, each);
  }
  const candidates = [...first.values()];
  if (!newest) return candidates;
  const doubtful = candidates.filter((candidate) => mayHaveHad(newest, candidate));
  if (doubtful.length === 0) return candidates;
  const had = await findInHistory(store, newest, doubtful);
  return candidates.filter((candidate) => !had.has(nameOf(candidate.event)));
}

function mayHaveHad(newest: Commit, { event, position }: PositionedEvent): boolean {
  if (mayHold(newest.seen, fingerprintOf(event))) return true;
  return !remembersAll(newest.seen) && !isPast(newest.marks, position);
}

async function findInHistory(
  store: InstanceStore,
  newest: Commit,
  doubtful: readonly PositionedEvent[],
): Promise<Set<string>> {
  const open = new Map(doubtful.map((candidate) => [nameOf(candidate.event), candidate]));
  const found = new Set<string>();
  for await (const commit of newestFirst(store, newest)) {
    const looked = newest.seen.total - commit.seen.total;
    for (const [name, { position }] of open) {
      // Behind this commit lies nothing of its stream position, and nothing within the window.
      if (looked >= 2 * seenWindow && isPast(commit.marks, position)) open.delete(name);
    }
    for (const { event } of commit.entries) {
      const name = nameOf(event);
      if (open.delete(name)) found.add(name);
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
