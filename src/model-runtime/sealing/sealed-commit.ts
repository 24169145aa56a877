import type { InstanceKey, TrackedEvent } from '../../core/event/event.ts';
import type { Commit, Head, HistoryEntry } from '../../core/history/commit.ts';
import type { Json } from '../../core/json/json.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { type DataKey, mayContainSealed, seal, unseal } from '../../core/personal-data/sealed.ts';
import { mapAtPaths, type Sensitive } from '../../core/personal-data/sensitive.ts';

/**
 * The commit as it is stored: sensitive fields are sealed, and so is all data of rejected events and of
 * the events that the instance sends.
 */
export const sealCommit = (commit: Commit, sensitive: Sensitive, key: DataKey): Commit =>
  mapPersonalData(commit, sensitive, (value) => seal(value, key, commit), {
    isOpaque: ({ outcome }) => outcome === 'rejected',
  });

/** How to find the personal values of a commit, besides by their paths. */
export interface PersonalDataRules {
  /**
   * Whether personal data may be anywhere in the data of an entry's event: a rejected one need not be
   * what its schema describes.
   */
  readonly isOpaque: (entry: HistoryEntry) => boolean;
  /** Whether paths end at a value, whatever they say about its members. @default no value */
  readonly isClosed?: (value: Json) => boolean;
}

/** The commit with each personal value changed. */
export function mapPersonalData(
  commit: Commit,
  sensitive: Sensitive,
  change: (value: Json) => Json,
  { isOpaque, isClosed }: PersonalDataRules,
): Commit {
  const changeText = (json: string, paths: readonly string[] = []) =>
    paths.length === 0
      ? json
      : changeJson(json, (value) => mapAtPaths(value, paths, change, isClosed));
  const changeEntry = (entry: HistoryEntry): HistoryEntry => ({
    ...entry,
    event: withoutData(entry.event),
    data: isOpaque(entry)
      ? changeJson(entry.data, change)
      : changeText(entry.data, sensitive.events?.[entry.event.type]),
    state: changeText(entry.state, sensitive.state),
    // The model does not say which of it is personal.
    effects: entry.effects.map((effect) => ({ ...effect, data: change(effect.data) })),
  });
  return {
    ...commit,
    entries: commit.entries.map(changeEntry),
    state: changeText(commit.state, sensitive.state),
  };
}

const changeJson = (json: string, change: (value: Json) => Json) =>
  JSON.stringify(change(parseJson(json)));

/** An entry's event may be the one that came, with more in it than an entry wants. */
function withoutData(event: HistoryEntry['event']): HistoryEntry['event'] {
  const { data: _, ...rest } = event as TrackedEvent;
  return rest;
}

/** Whether anything of a commit may be sealed. */
export const mayBeSealed = ({ entries, state }: Commit) =>
  mayContainSealed(state) ||
  entries.some(
    ({ data, state, effects }) =>
      mayContainSealed(data) ||
      mayContainSealed(state) ||
      (effects.length > 0 && mayContainSealed(JSON.stringify(effects))),
  );

/** The commit as it was before it was sealed; null where something was forgotten. */
export function unsealCommit(commit: Commit, key: DataKey | undefined): Commit {
  return {
    ...unsealHead(commit, key),
    entries: commit.entries.map((entry) => ({
      ...entry,
      data: unsealText(entry.data, key, commit),
      state: unsealText(entry.state, key, commit),
      effects: entry.effects.map((effect) => ({
        ...effect,
        data: unseal(effect.data, key, commit),
      })),
    })),
    changes: commit.changes,
  };
}

/** The same of what the next commit is made from. */
export const unsealHead = <Known extends Pick<Head, keyof InstanceKey | 'state'>>(
  head: Known,
  key: DataKey | undefined,
): Known => ({ ...head, state: unsealText(head.state, key, head) });

function unsealText(json: string, key: DataKey | undefined, instance: InstanceKey): string {
  return mayContainSealed(json) ? JSON.stringify(unseal(parseJson(json), key, instance)) : json;
}
