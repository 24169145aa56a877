import type { InstanceKey, TrackedEvent } from '../../core/event/event.ts';
import type { Commit, Entry, Head } from '../../core/history/commit.ts';
import type { Json } from '../../core/json/json.ts';
import { type DataKey, maybeSealed, open, seal } from '../../core/personal-data/sealed.ts';
import { changeAt, type Sensitive } from '../../core/personal-data/sensitive.ts';

/**
 * The commit as it is stored: sensitive fields are sealed, and so is all data of rejected events and of
 * the events that the instance sends.
 */
export const sealCommit = (commit: Commit, sensitive: Sensitive, key: DataKey): Commit =>
  changePersonal(commit, sensitive, (value) => seal(value, key, commit), {
    isOpaque: ({ outcome }) => outcome === 'rejected',
  });

/** How to find the personal values of a commit, besides by their paths. */
export interface PersonalValues {
  /**
   * Whether personal data may be anywhere in the data of an entry's event: a rejected one need not be
   * what its schema describes.
   */
  readonly isOpaque: (entry: Entry) => boolean;
  /** Whether paths end at a value, whatever they say about its members. @default no value */
  readonly isClosed?: (value: Json) => boolean;
}

/** The commit with each personal value changed. */
export function changePersonal(
  commit: Commit,
  sensitive: Sensitive,
  change: (value: Json) => Json,
  { isOpaque, isClosed }: PersonalValues,
): Commit {
  const changeText = (json: string, paths: readonly string[] = []) =>
    paths.length === 0
      ? json
      : changeJson(json, (value) => changeAt(value, paths, change, isClosed));
  const changeEntry = (entry: Entry): Entry => ({
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
  JSON.stringify(change(JSON.parse(json) as Json));

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
