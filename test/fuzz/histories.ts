import { isDeepStrictEqual } from 'node:util';
import { commitFrom, StoredCommit, toItems } from '../../src/aws/instances/commit-item.ts';
import type { TrackedEvent } from '../../src/core/event/event.ts';
import type { Commit } from '../../src/core/history/commit.ts';
import { foldEvent } from '../../src/core/history/fold.ts';
import type { Snapshot } from '../../src/core/history/snapshot.ts';
import type { Json } from '../../src/core/json/json.ts';
import { itemBytes } from '../support/item-size.ts';
import { must } from './accounts.ts';
import { models, type World } from './world.ts';

/** DynamoDB's maximum item size, in bytes. */
const maximumItemBytes = 400 * 1024;

/**
 * Checks that each instance's history has no gaps between versions, that stored commits are read back unchanged, and
 * that a fold of the history results in the recorded states and outcomes.
 */
export function checkHistories(world: World): void {
  for (const [instance, commits] of world.instances.histories) {
    const model = models.get(instance.slice(0, instance.indexOf('#')))!;
    let before: Snapshot | undefined;
    for (const [index, commit] of commits.entries()) {
      must(commit.version === index + 1, () => `${instance} skips version ${index + 1}`);
      checkItems(commit);
      for (const entry of commit.entries) {
        const data = JSON.parse(entry.data) as Json;
        const event = { ...entry.event, data };
        const { outcome, reason, after } = foldEvent(model, before, event, commit.at);
        before = after;
        const again = { ...entry, outcome, reason, state: after.json };
        const same = isDeepStrictEqual({ ...again, status: after.description.status }, entry);
        must(same, () => `${instance} folds to ${JSON.stringify(again)}`);
      }
      must(
        commit.state === before!.json && isDeepStrictEqual(commit.description, before!.description),
        () => `${instance} has the state ${commit.state} but folds to ${before!.json}`,
      );
    }
  }
}

function checkItems(commit: Commit): void {
  const { commit: item, bodies } = toItems(commit);
  for (const each of [item, ...bodies]) {
    const words = [...Object.keys(each), ...Object.values(each).flatMap(({ S }) => S ?? [])];
    must(
      words.every((text) => text.isWellFormed()),
      () => `the commit cannot be stored: ${JSON.stringify(each)}`,
    );
    must(
      itemBytes(each) <= maximumItemBytes,
      () => `the commit is too large: ${itemBytes(each)} bytes`,
    );
  }
  const read = commitFrom(
    new StoredCommit(item),
    new Map(bodies.map((each) => [each.sk!.S!, each])),
  );
  // In memory, an entry's event can include its data, which is stored separately as JSON.
  const entries = commit.entries.map((each) => {
    const { data: _, ...event } = each.event as TrackedEvent;
    return { ...each, event };
  });
  must(
    isDeepStrictEqual(read, { ...commit, entries }),
    () => `reads back as ${JSON.stringify(read)}`,
  );
}
