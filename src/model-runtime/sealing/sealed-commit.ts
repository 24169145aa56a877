import type { InstanceKey, TrackedEvent } from '../../core/event/event.ts';
import type { Commit, Head } from '../../core/history/commit.ts';
import type { HistoryEntry } from '../../core/history/history-entry.ts';
import type { Json } from '../../core/json/json.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import {
  type DataKey,
  mayContainSealed,
  sealer,
  unsealer,
} from '../../core/personal-data/sealed.ts';
import { mapAtPaths, type Sensitive } from '../../core/personal-data/sensitive.ts';

/**
 * Seals a commit for storage: its sensitive fields, all data of rejected events, and all data of the events and
 * notifications that the instance sends.
 */
export const sealCommit = (commit: Commit, sensitive: Sensitive, key: DataKey): Commit =>
  mapPersonalData(commit, sensitive, sealer(key, commit), {
    isOpaque: ({ outcome }) => outcome === 'rejected',
  });

/** Rules that determine, in addition to the sensitive paths, which values of a commit are personal. */
export interface PersonalDataRules {
  /**
   * True if all data of an event counts as personal. The data of a rejected event, for example, may not match the
   * schema.
   */
  readonly isOpaque: (entry: HistoryEntry) => boolean;
  /** True for a value whose members must not be replaced, such as a sealed value. @default never */
  readonly isClosed?: (value: Json) => boolean;
}

/** Replaces each personal value in a commit with the result of `change`. */
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
    // Models do not declare which parts of outgoing data are personal, so all outgoing data counts as personal.
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

/** Removes `data`, which an entry may contain at run time although its type does not declare it. */
function withoutData(event: HistoryEntry['event']): HistoryEntry['event'] {
  const { data: _, ...rest } = event as TrackedEvent;
  return rest;
}

/** Returns true if a commit may contain sealed values. */
export const mayBeSealed = ({ entries, state }: Commit) =>
  mayContainSealed(state) ||
  entries.some(
    ({ data, state, effects }) =>
      mayContainSealed(data) ||
      mayContainSealed(state) ||
      (effects.length > 0 && mayContainSealed(JSON.stringify(effects))),
  );

/** Unseals a commit. Values whose key has been destroyed become null. */
export function unsealCommit(commit: Commit, key: DataKey | undefined): Commit {
  const unseal = unsealer(key, commit);
  return {
    ...commit,
    state: unsealText(commit.state, unseal),
    entries: commit.entries.map((entry) => ({
      ...entry,
      data: unsealText(entry.data, unseal),
      state: unsealText(entry.state, unseal),
      effects: entry.effects.map((effect) => ({ ...effect, data: unseal(effect.data) })),
    })),
  };
}

export const unsealHead = <Known extends Pick<Head, keyof InstanceKey | 'state'>>(
  head: Known,
  key: DataKey | undefined,
): Known => ({ ...head, state: unsealText(head.state, unsealer(key, head)) });

const unsealText = (json: string, unseal: (value: Json) => Json): string =>
  mayContainSealed(json) ? JSON.stringify(unseal(parseJson(json))) : json;
