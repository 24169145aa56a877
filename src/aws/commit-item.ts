import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Commit, Entry } from '../core/commit.ts';
import type { TrackedEvent } from '../core/event.ts';
import { decodeSeen, encodeSeen } from '../core/seen-codec.ts';
import { commitKey, instanceOf, partitionOf } from './instance-keys.ts';

/** A DynamoDB item as the low-level client takes it. */
export type Item = Record<string, AttributeValue>;

/** Data of more bytes than this is kept in an item of its own beside the commit. */
const maximumInlineBytes = 8 * 1024;

/** An entry as it is stored: defaults left out, and a reason only where it was rejected. */
interface StoredEntry extends Pick<TrackedEvent, 'id' | 'source' | 'type' | 'time' | 'replyTo'> {
  readonly data?: unknown;
  /** The sort key of the item that holds the data. */
  readonly dataIn?: string;
  readonly reason?: string;
  readonly status: string;
}

/** The items of a commit: the commit itself, and large data that has to be there before it. */
export interface CommitItems {
  readonly commit: Item;
  readonly data: readonly Item[];
}

/** Writes a commit as items. */
export function toItems(commit: Commit): CommitItems {
  const pk = { S: partitionOf(commit) };
  const apart = commit.entries.filter((e) => Buffer.byteLength(e.data) > maximumInlineBytes);
  const between = commit.entries.slice(0, -1).map((entry) => entry.state);
  return {
    data: apart.map((entry) => ({
      pk,
      sk: { S: dataKey(entry) },
      // Compressed it costs less, and surely fits: 1e20 takes five times as long as it was sent.
      data: { B: zstdCompressSync(entry.data) },
    })),
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
        S: `[${commit.entries.map((entry) => entryJson(entry, apart.includes(entry))).join()}]`,
      },
      state: { S: commit.state },
      // One after the other they are nearly the same, so together they take hardly any room.
      ...(between.length > 0 ? { states: { B: zstdCompressSync(`[${between.join()}]`) } } : {}),
      seen: { B: encodeSeen(commit.seen) },
      marks: { S: JSON.stringify(commit.marks) },
    },
  };
}

/** The sort keys of the items that hold a commit's large data. */
export function dataKeysOf(item: Item): string[] {
  return storedEntries(item).flatMap((entry) => entry.dataIn ?? []);
}

/** The data that such an item holds, as JSON. */
export function dataOf(item: Item): string {
  return zstdDecompressSync(item.data!.B!).toString();
}

/**
 * Reads a commit back.
 *
 * @param data what `dataKeysOf` names, by sort key.
 * @throws TypeError when a part of it is missing.
 */
export function fromItem(item: Item, data: ReadonlyMap<string, string> = new Map()): Commit {
  const key = instanceOf(text(item, 'pk'));
  const states = item.states?.B
    ? (JSON.parse(zstdDecompressSync(item.states.B).toString()) as unknown[])
    : [];
  const state = text(item, 'state');
  const largeData = (sk: string) => {
    const found = data.get(sk);
    if (found === undefined) throw new TypeError(`there is no item ${item.pk?.S} ${sk}`);
    return found;
  };
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
        data: stored.dataIn ? largeData(stored.dataIn) : JSON.stringify(stored.data),
        outcome: stored.reason === undefined ? 'applied' : 'rejected',
        reason: stored.reason ?? null,
        status: stored.status,
        state: index < states.length ? JSON.stringify(states[index]) : state,
      }),
    ),
    state,
    seen: decodeSeen(item.seen!.B!),
    marks: JSON.parse(text(item, 'marks')) as Commit['marks'],
  };
}

function entryJson(entry: Entry, apart: boolean): string {
  const { id, source, type, time, replyTo } = entry.event;
  const reason = entry.reason === null ? {} : { reason: entry.reason };
  const stored = { id, source, type, time, replyTo, status: entry.status, ...reason };
  if (apart) return JSON.stringify({ ...stored, dataIn: dataKey(entry) } satisfies StoredEntry);
  // The data is JSON already: it goes in as it is.
  return `${JSON.stringify(stored satisfies StoredEntry).slice(0, -1)},"data":${entry.data}}`;
}

// The key follows from the content: writing it again changes nothing, and what a lost condition
// left behind is what its winner or the next try needs.
const dataKey = (entry: Entry) => `BODY#${hash('sha256', entry.data)}`;

const storedEntries = (item: Item) => JSON.parse(text(item, 'entries')) as StoredEntry[];

function text(item: Item, name: string): string {
  const value = item[name]?.S;
  if (value === undefined)
    throw new TypeError(`an item has no ${name}: ${item.pk?.S} ${item.sk?.S}`);
  return value;
}
