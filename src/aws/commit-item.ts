import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Commit, Entry } from '../core/commit.ts';
import type { TrackedEvent } from '../core/event.ts';
import { decodeSeen, encodeSeen } from '../core/seen-codec.ts';
import { commitKey, instanceOf, partitionOf } from './instance-keys.ts';
import { fromParts, isLarge, toParts } from './stored-text.ts';

/** A DynamoDB item as the low-level client takes it. */
export type Item = Record<string, AttributeValue>;

/** An entry as it is stored: defaults left out, and a reason only where it was rejected. */
interface StoredEntry extends Pick<TrackedEvent, 'id' | 'source' | 'type' | 'time' | 'replyTo'> {
  readonly data?: unknown;
  /** The sort keys of the items that hold the data. */
  readonly dataIn?: readonly string[];
  readonly reason?: string;
  readonly status: string;
}

/** The items of a commit: the commit itself, and large texts that have to be there before it. */
export interface CommitItems {
  readonly commit: Item;
  readonly texts: readonly Item[];
}

/** Writes a commit as items. */
export function toItems(commit: Commit): CommitItems {
  const pk = { S: partitionOf(commit) };
  const effects = JSON.stringify(commit.entries.map((entry) => entry.effects));
  const apart = commit.entries.map((entry) => entry.data).filter(isLarge);
  if (isLarge(effects)) apart.push(effects);
  return {
    texts: apart
      .flatMap(toParts)
      .map(({ key, bytes }) => ({ pk, sk: { S: key }, data: { B: bytes } })),
    commit: {
      pk,
      sk: { S: commitKey(commit.version) },
      at: { S: commit.at },
      startedAt: { S: commit.startedAt },
      statusSince: { S: commit.statusSince },
      modelVersion: { N: String(commit.modelVersion) },
      ...(commit.progress === null ? {} : { progress: { N: String(commit.progress) } }),
      description: { S: JSON.stringify(commit.description) },
      entries: {
        S: `[${commit.entries.map(entryJson).join()}]`,
      },
      ...storedEffects(commit, effects),
      ...(commit.timers.length > 0 ? { timers: { S: JSON.stringify(commit.timers) } } : {}),
      ...(Object.keys(commit.changes).length > 0
        ? { changes: { S: JSON.stringify(commit.changes) } }
        : {}),
      ...storedStates(commit),
      seen: { B: encodeSeen(commit.seen) },
      marks: { S: JSON.stringify(commit.marks) },
    },
  };
}

/** The sort keys of the items that hold a commit's large texts. */
export function textKeysOf(item: Item): string[] {
  return [...storedEntries(item).flatMap((entry) => entry.dataIn ?? []), ...effectKeys(item)];
}

/**
 * Reads a commit back.
 *
 * @param texts what `textKeysOf` names, by sort key.
 * @throws TypeError when a part of it is missing.
 */
export function fromItem(item: Item, texts: ReadonlyMap<string, Item> = new Map()): Commit {
  const key = instanceOf(text(item, 'pk'));
  const states = statesOf(item);
  const effectsIn = effectKeys(item);
  const effects = effectsIn.length > 0 ? fromParts(effectsIn, texts) : (item.effects?.S ?? '[]');
  const sent = JSON.parse(effects) as Entry['effects'][];
  return {
    ...key,
    version: Number(text(item, 'sk').slice('COMMIT#'.length)),
    at: text(item, 'at'),
    startedAt: text(item, 'startedAt'),
    statusSince: text(item, 'statusSince'),
    modelVersion: Number(item.modelVersion?.N),
    progress: item.progress?.N === undefined ? null : Number(item.progress.N),
    description: JSON.parse(text(item, 'description')) as Commit['description'],
    entries: storedEntries(item).map(
      ({ id, source, type, time, replyTo, ...stored }, index): Entry => ({
        event: { ...key, id, source, type, time, ...(replyTo ? { replyTo } : {}) },
        data: stored.dataIn ? fromParts(stored.dataIn, texts) : JSON.stringify(stored.data),
        outcome: stored.reason === undefined ? 'applied' : 'rejected',
        reason: stored.reason ?? null,
        status: stored.status,
        // Of megabytes of states hardly ever more than the last one is wanted.
        get state() {
          return states.at(index);
        },
        effects: sent[index] ?? [],
      }),
    ),
    get state() {
      return states.last();
    },
    timers: timersOf(item),
    changes: JSON.parse(item.changes?.S ?? '{}') as Commit['changes'],
    seen: decodeSeen(item.seen!.B!),
    marks: JSON.parse(text(item, 'marks')) as Commit['marks'],
  };
}

/**
 * The states after each entry. One after the other they are nearly the same, so that compressed
 * together they take hardly more room than one. A small one that is the last stays readable.
 */
function storedStates({ state, entries }: Commit): Item {
  const compressed = entries.map((entry) => entry.state);
  const readable: Item = isLarge(state) ? {} : { state: { S: state } };
  if (readable.state) compressed.pop();
  // JSON has no line breaks in it.
  return compressed.length > 0
    ? { ...readable, states: { B: zstdCompressSync(compressed.join('\n')) } }
    : readable;
}

/** Reads them back, but only when they are asked for: of megabytes hardly ever more than the last. */
function statesOf(item: Item) {
  let read: readonly string[] | undefined;
  const unpack = (bytes: Uint8Array) => zstdDecompressSync(bytes).toString().split('\n');
  const compressed = () => (read ??= item.states?.B ? unpack(item.states.B) : []);
  const last = () => item.state?.S ?? compressed().at(-1)!;
  return { last, at: (index: number) => compressed()[index] ?? last() };
}

/** The timers that run after a commit, for which its attribute `timers` alone is needed. */
export const timersOf = (item: Item) => JSON.parse(item.timers?.S ?? '[]') as Commit['timers'];

function storedEffects({ entries }: Commit, effects: string): Item {
  if (entries.every((entry) => entry.effects.length === 0)) return {};
  if (!isLarge(effects)) return { effects: { S: effects } };
  return { effectsIn: { S: JSON.stringify(toParts(effects).map(({ key }) => key)) } };
}

const effectKeys = (item: Item) => JSON.parse(item.effectsIn?.S ?? '[]') as string[];

function entryJson(entry: Entry): string {
  const { id, source, type, time, replyTo } = entry.event;
  const reason = entry.reason === null ? {} : { reason: entry.reason };
  const stored = { id, source, type, time, replyTo, status: entry.status, ...reason };
  if (isLarge(entry.data)) {
    const dataIn = toParts(entry.data).map(({ key }) => key);
    return JSON.stringify({ ...stored, dataIn } satisfies StoredEntry);
  }
  // The data is JSON already: it goes in as it is.
  return `${JSON.stringify(stored satisfies StoredEntry).slice(0, -1)},"data":${entry.data}}`;
}

const storedEntries = (item: Item) => JSON.parse(text(item, 'entries')) as StoredEntry[];

function text(item: Item, name: string): string {
  const value = item[name]?.S;
  if (value === undefined)
    throw new TypeError(`an item has no ${name}: ${item.pk?.S} ${item.sk?.S}`);
  return value;
}
