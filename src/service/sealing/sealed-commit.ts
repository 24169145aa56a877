import type { Commit, Entry, Head } from '../../core/commit.ts';
import type { InstanceKey, TrackedEvent } from '../../core/event.ts';
import type { Json } from '../../core/json.ts';
import { type DataKey, maybeSealed, open, seal } from '../../core/sealed.ts';
import { changeAt, type Sensitive } from '../../core/sensitive.ts';

/** A commit as it is stored: with its sensitive fields sealed, and all that it sends. */
export function sealCommit(commit: Commit, sensitive: Sensitive, key: DataKey): Commit {
  const sealAt = (json: string, paths: readonly string[] = []) =>
    paths.length === 0
      ? json
      : JSON.stringify(
          changeAt(JSON.parse(json) as Json, paths, (value) => seal(value, key, commit)),
        );
  const sealEntry = (entry: Entry): Entry => ({
    ...entry,
    event: withoutData(entry.event),
    data: sealAt(entry.data, sensitive.events?.[entry.event.type]),
    state: sealAt(entry.state, sensitive.state),
    // What of it is personal the model does not say.
    effects: entry.effects.map((effect) => ({ ...effect, data: seal(effect.data, key, commit) })),
  });
  return {
    ...commit,
    entries: commit.entries.map(sealEntry),
    state: sealAt(commit.state, sensitive.state),
  };
}

/** An entry's event may be the one that came, with more in it than an entry wants. */
function withoutData(event: Entry['event']): Entry['event'] {
  const { data: _, ...rest } = event as TrackedEvent;
  return rest;
}

/** Whether anything of a commit may be sealed. */
export const isSealed = ({ entries, state }: Commit) =>
  maybeSealed(state) ||
  entries.some(
    ({ data, state, effects }) =>
      maybeSealed(data) ||
      maybeSealed(state) ||
      (effects.length > 0 && maybeSealed(JSON.stringify(effects))),
  );

/** The commit as it was before it was sealed; null where something was forgotten. */
export function openCommit(commit: Commit, key: DataKey | undefined): Commit {
  return {
    ...openHead(commit, key),
    entries: commit.entries.map((entry) => ({
      ...entry,
      data: openText(entry.data, key, commit),
      state: openText(entry.state, key, commit),
      effects: entry.effects.map((effect) => ({
        ...effect,
        data: open(effect.data, key, commit),
      })),
    })),
    changes: commit.changes,
  };
}

/** The same of what the next commit is made from. */
export const openHead = <Known extends Pick<Head, keyof InstanceKey | 'state'>>(
  head: Known,
  key: DataKey | undefined,
): Known => ({ ...head, state: openText(head.state, key, head) });

function openText(json: string, key: DataKey | undefined, instance: InstanceKey): string {
  return maybeSealed(json) ? JSON.stringify(open(JSON.parse(json) as Json, key, instance)) : json;
}
