import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TrackedEvent } from '../../core/event/event.ts';
import type { Commit, CommitSummary, Head } from '../../core/history/commit.ts';
import type { HistoryEntry } from '../../core/history/history-entry.ts';
import type { Seen } from '../../core/history/seen.ts';
import { decodeSeen, encodeSeen } from '../../core/history/seen-codec.ts';
import type { Item } from '../client/dynamodb.ts';
import { compress, decompress } from '../dynamodb/compress.ts';
import { parseStored } from '../dynamodb/stored-json.ts';
import { commitKey, commitPrefix, instanceOf, partitionOf } from './instance-keys.ts';
import { fromParts, isLarge, toParts } from './stored-body.ts';

/** The stored form of a history entry. Default values are omitted, and only rejected entries have a reason. */
interface StoredEntry extends Pick<TrackedEvent, 'id' | 'source' | 'type' | 'time' | 'replyTo'> {
  readonly data?: unknown;
  /** The sort keys of the items that contain the data, if the data is large. */
  readonly dataIn?: readonly string[];
  readonly reason?: string;
  readonly status: string;
}

/** A commit's items: the commit itself, and its bodies, which must be written first. */
export interface CommitItems {
  readonly commit: Item;
  readonly bodies: readonly Item[];
}

export function toItems(commit: Commit): CommitItems {
  const { content, bodies } = contentItems(commit);
  return {
    bodies,
    commit: {
      pk: { S: partitionOf(commit) },
      sk: { S: commitKey(commit.version) },
      at: { S: commit.at },
      ...(commit.startedAt === null ? {} : { startedAt: { S: commit.startedAt } }),
      statusSince: { S: commit.statusSince },
      modelVersion: { N: String(commit.modelVersion) },
      ...(commit.progress === null ? {} : { progress: { N: String(commit.progress) } }),
      ...(commit.lateAt === null ? {} : { lateAt: { S: commit.lateAt } }),
      ...(commit.riskAt === null ? {} : { riskAt: { S: commit.riskAt } }),
      ...(commit.deadlines && { deadlines: { S: JSON.stringify(commit.deadlines) } }),
      description: { S: JSON.stringify(commit.description) },
      ...content,
      ...(commit.timers.length > 0 ? { timers: { S: JSON.stringify(commit.timers) } } : {}),
      ...(Object.keys(commit.changes).length > 0
        ? { changes: { S: JSON.stringify(commit.changes) } }
        : {}),
      heard: { B: encodeSeen(commit.seen, commit.version) },
      marks: { S: JSON.stringify(commit.highWaterMarks) },
      ...(commit.highWaterMarkDays && {
        markDays: { S: JSON.stringify(commit.highWaterMarkDays) },
      }),
    },
  };
}

/** The attributes of a commit's item that contain its events, their effects, and the states after them. */
export const contentAttributes = ['state', 'entries', 'packed', 'effects', 'effectsIn'] as const;

/** Converts a commit's content to the `contentAttributes` and to the items of its bodies. */
export function contentItems(commit: Commit): { content: Item; bodies: Item[] } {
  const pk = { S: partitionOf(commit) };
  const effects = JSON.stringify(commit.entries.map((entry) => entry.effects));
  const large = new Set([...commit.entries.map(({ data }) => data), effects].filter(isLarge));
  return {
    bodies: [...large]
      .flatMap((json) => toParts(json, commit.version))
      .map(({ key, bytes }) => ({ pk, sk: { S: key }, data: { B: bytes } })),
    content: { ...storedEntries(commit), ...storedEffects(commit, effects) },
  };
}

/** A commit's item. Decompresses the packed attribute once, on first use. */
export class StoredCommit {
  readonly item: Item;
  #parts: ReturnType<typeof partsOf> | undefined;

  constructor(item: Item) {
    this.item = item;
  }

  get parts(): ReturnType<typeof partsOf> {
    return (this.#parts ??= partsOf(this.item));
  }

  /** The state after the commit, as JSON. */
  get state(): string {
    return this.item.state?.S ?? this.parts.states.at(-1)!;
  }
}

/** Returns the sort keys of the items that contain a commit's bodies. */
export function bodyKeysOf({ item, parts }: StoredCommit): string[] {
  return [...parts.entries.flatMap((entry) => entry.dataIn ?? []), ...effectKeys(item)];
}

/** Reads an instance's head from a commit. */
export function headFrom({ item, state }: StoredCommit): Head {
  return {
    ...instanceOf(textAttribute(item, 'pk')),
    version: versionOf(item),
    at: textAttribute(item, 'at'),
    startedAt: item.startedAt?.S ?? null,
    statusSince: textAttribute(item, 'statusSince'),
    modelVersion: Number(requiredAttribute(item, 'modelVersion').N),
    progress: item.progress?.N === undefined ? null : Number(item.progress.N),
    lateAt: item.lateAt?.S ?? null,
    riskAt: item.riskAt?.S ?? null,
    ...(item.deadlines?.S && { deadlines: parseStored<string[]>(item.deadlines.S) }),
    description: parseStored<Commit['description']>(textAttribute(item, 'description')),
    state,
    timers: timersOf(item),
    seen: seenIn(item),
    highWaterMarks: highWaterMarksOf(item),
    ...(item.markDays?.S && {
      highWaterMarkDays: parseStored<Commit['highWaterMarkDays']>(item.markDays.S),
    }),
  };
}

/** The attributes that `summaryFrom` needs. */
export const summaryAttributes = ['pk', 'sk', 'entries', 'packed', 'heard', 'marks'];

/** Reads the identifying fields of a commit's events. The item needs only its keys and `entries` or `packed`. */
export const eventsIn = (item: Item) =>
  partsOf(item).entries.map(({ id, source, type, time }) => ({
    version: versionOf(item),
    id,
    source,
    type,
    time,
  }));

export function summaryFrom({ item, parts }: StoredCommit): CommitSummary {
  return {
    version: versionOf(item),
    events: parts.entries.map(({ source, id }) => ({ source, id })),
    seen: seenIn(item),
    highWaterMarks: highWaterMarksOf(item),
  };
}

/**
 * Reads the seen events from a commit's item. The result can be incomplete: the base commit then contains the other
 * events.
 */
export function seenIn(item: Item): Seen {
  return decodeSeen(requiredAttribute(item, 'heard').B!, versionOf(item));
}

/**
 * Reads a commit.
 *
 * @param bodies the items that `bodyKeysOf` names, by sort key.
 * @throws TypeError if a required attribute or part of a body is missing, or if stored data is damaged.
 */
export function commitFrom(
  stored: StoredCommit,
  bodies: ReadonlyMap<string, Item> = new Map(),
): Commit {
  const head = headFrom(stored);
  const { item, parts } = stored;
  const { entries, states } = parts;
  const effectsIn = effectKeys(item);
  const effects = effectsIn.length > 0 ? fromParts(effectsIn, bodies) : (item.effects?.S ?? '[]');
  const sent = parseStored<HistoryEntry['effects'][]>(effects);
  const { model, transaction } = head;
  return {
    ...head,
    entries: entries.map(
      ({ id, source, type, time, replyTo, ...rest }, index): HistoryEntry => ({
        event: { model, transaction, id, source, type, time, ...(replyTo ? { replyTo } : {}) },
        data: rest.dataIn ? fromParts(rest.dataIn, bodies) : JSON.stringify(rest.data),
        outcome: rest.reason === undefined ? 'applied' : 'rejected',
        reason: rest.reason ?? null,
        status: rest.status,
        state: states[index] ?? head.state,
        effects: sent[index] ?? [],
      }),
    ),
    changes: parseStored<Commit['changes']>(item.changes?.S ?? '{}'),
  };
}

/**
 * Converts a commit's entries and the states after them to attributes. The last state is stored as readable text unless
 * it is large. If a commit has only one entry and its state is readable, the entry is readable too. Otherwise, the
 * entries and the remaining states are compressed together: consecutive states are nearly equal, so they need little
 * more space than one state.
 */
function storedEntries({ state, entries, version }: Commit): Item {
  const entryJson = (entry: HistoryEntry) => storedEntry(entry, version);
  const states = entries.map((entry) => entry.state);
  const readable: Item = isLarge(state) ? {} : { state: { S: state } };
  if (readable.state) states.pop();
  if (states.length === 0) return { ...readable, entries: { S: `[${entryJson(entries[0]!)}]` } };
  // A line break can separate the JSON values because `JSON.stringify` escapes line breaks.
  const lines = [`[${entries.map(entryJson).join()}]`, ...states];
  return { ...readable, packed: { B: compress(lines.join('\n')) } };
}

/** Reads the entries and the states after them, except for a last state that is stored separately. */
function partsOf(item: Item): { entries: StoredEntry[]; states: string[] } {
  const [entries, ...states] = item.packed?.B
    ? decompress(item.packed.B).split('\n')
    : [textAttribute(item, 'entries')];
  return { entries: parseStored<StoredEntry[]>(entries!), states };
}

/** Returns a commit's version. */
export const versionOf = (item: Item) =>
  Number(textAttribute(item, 'sk').slice(commitPrefix.length));

/** Returns a commit's time, RFC 3339 in UTC. The item needs only the attribute `at`. */
export const committedAt = (item: Item) => textAttribute(item, 'at');

/** Returns the fields of a status row that every commit changes, including commits that do not write the row. */
export const progressOf = (item: Item) => ({
  version: versionOf(item),
  updatedAt: textAttribute(item, 'at'),
  modelVersion: Number(requiredAttribute(item, 'modelVersion').N),
});

const highWaterMarksOf = (item: Item) =>
  parseStored<Commit['highWaterMarks']>(textAttribute(item, 'marks'));

/** Returns the running timers after a commit. The item needs only the attribute `timers`. */
export const timersOf = (item: Item) => parseStored<Commit['timers']>(item.timers?.S ?? '[]');

function storedEffects({ entries, version }: Commit, effects: string): Item {
  if (entries.every((entry) => entry.effects.length === 0)) return {};
  if (!isLarge(effects)) return { effects: { S: effects } };
  return { effectsIn: { S: JSON.stringify(toParts(effects, version).map(({ key }) => key)) } };
}

const effectKeys = (item: Item) => parseStored<string[]>(item.effectsIn?.S ?? '[]');

function storedEntry(entry: HistoryEntry, version: number): string {
  const { id, source, type, time, replyTo } = entry.event;
  const reason = entry.reason === null ? {} : { reason: entry.reason };
  const stored = { id, source, type, time, replyTo, status: entry.status, ...reason };
  if (isLarge(entry.data)) {
    const dataIn = toParts(entry.data, version).map(({ key }) => key);
    return JSON.stringify({ ...stored, dataIn } satisfies StoredEntry);
  }
  // The data is already JSON and is inserted unchanged.
  return `${JSON.stringify(stored satisfies StoredEntry).slice(0, -1)},"data":${entry.data}}`;
}

const textAttribute = (item: Item, name: string): string => requiredAttribute(item, name).S!;

/** Reads a commit's required attribute; throws a TypeError, which is a permanent error, if the attribute is missing. */
function requiredAttribute(item: Item, name: string): AttributeValue {
  const value = item[name];
  if (value === undefined)
    throw new TypeError(`the item ${item.pk?.S} ${item.sk?.S} has no attribute ${name}`);
  return value;
}
