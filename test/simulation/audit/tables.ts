import { decompress } from '../../../src/aws/dynamodb/compress.ts';
import { nameOf } from '../log.ts';
import { type Item, text } from './item.ts';

/** An event in a history, with the recorded state after it. */
export interface HistoryEntry {
  readonly name: string;
  readonly event: Readonly<Record<'source' | 'id' | 'type' | 'time', string>> & {
    readonly replyTo?: { readonly model: string; readonly transaction: string };
  };
  readonly data: unknown;
  readonly rejected: boolean;
  readonly reason: string | null;
  readonly status: string;
  readonly state: unknown;
  /** True if all data of the event is erased. If the event was parked, the model did not receive its data. */
  readonly isErased?: boolean;
}

export interface CommitItem {
  readonly version: number;
  readonly item: Item;
  readonly entries: readonly HistoryEntry[];
}

export interface ParkedItem {
  readonly name: string;
  /** The position of the event's record: `shard:sequence`. */
  readonly record: string;
  readonly fault: boolean;
  readonly letterId: string;
}

export interface Instance {
  /** The partition key: `model#transaction`. */
  readonly key: string;
  readonly model: string;
  readonly transaction: string;
  readonly commits: readonly CommitItem[];
  readonly history: readonly HistoryEntry[];
  /** The parked events in the order of their sort keys. */
  readonly parked: readonly ParkedItem[];
  readonly status: Item | undefined;
  /** The identities of the instance's events that are or were dead letters. */
  readonly deadLetters: ReadonlySet<string>;
}

export interface Letter {
  readonly id: string;
  readonly item: Item;
  readonly bytes: Uint8Array;
  /** The `shard:sequence` of the parked event, or undefined if the event is not parked. */
  readonly parked: string | undefined;
}

/** @param deadLetters the identities of events that are dead letters, by the keys of their instances. */
export function readInstances(
  items: readonly Item[],
  deadLetters: ReadonlyMap<string, ReadonlySet<string>>,
): Instance[] {
  // Items whose partition key starts with `#` belong to indexes, not to instances. See `auditKeyIndex`.
  const ofInstances = items.filter((item) => !text(item, 'pk').startsWith('#'));
  const collections = Map.groupBy(ofInstances, (item) => text(item, 'pk'));
  return [...collections].map(([key, collection]) => {
    const end = key.indexOf('#');
    const bodies = new Map(collection.map((item) => [text(item, 'sk'), item]));
    const of = (prefix: string) => collection.filter((item) => item.sk!.S!.startsWith(prefix));
    const commits = of('COMMIT#').map((item) => ({
      version: Number(text(item, 'sk').slice(7)),
      item,
      entries: readEntries(item, bodies),
    }));
    return {
      key,
      model: key.slice(0, end),
      transaction: key.slice(end + 1),
      deadLetters: deadLetters.get(key) ?? new Set(),
      commits,
      history: commits.flatMap(({ entries }) => entries),
      parked: of('PARKED#').map(readParked),
      status: bodies.get('STATUS'),
    };
  });
}

function readEntries(item: Item, bodies: ReadonlyMap<string, Item>): HistoryEntry[] {
  const [first, ...rest] = item.packed
    ? decompress(item.packed.B!).split('\n')
    : [text(item, 'entries')];
  const between = rest.map((state) => JSON.parse(state) as unknown);
  // If the last state is large, it is one of these lines. Otherwise, it has a separate attribute.
  const states = item.state ? [...between, JSON.parse(item.state.S!)] : between;
  const stored = JSON.parse(first!) as StoredEntry[];
  return stored.map(({ data, dataIn, reason, status, ...event }, index) => ({
    name: nameOf(event),
    event,
    data:
      dataIn === undefined
        ? data
        : JSON.parse(decompress(Buffer.concat(dataIn.map((key) => bodies.get(key)!.data!.B!)))),
    rejected: reason !== undefined,
    reason: reason ?? null,
    status,
    state: states[index],
  }));
}

type StoredEntry = HistoryEntry['event'] & {
  readonly data?: unknown;
  readonly dataIn?: readonly string[];
  readonly reason?: string;
  readonly status: string;
};

function readParked(item: Item): ParkedItem {
  const { shard, sequence } = JSON.parse(text(item, 'position')) as Record<string, string>;
  return {
    name: nameOf(JSON.parse(item.event!.S ?? decompress(item.event!.B!)) as HistoryEntry['event']),
    record: `${shard}:${sequence}`,
    fault: item.fault!.BOOL!,
    letterId: text(item, 'letterId'),
  };
}

export function readLetters(items: readonly Item[]): Letter[] {
  return items
    .filter((item) => text(item, 'pk').startsWith('DEAD#'))
    .map((item) => {
      const id = text(item, 'sk');
      const rest = items.filter((part) => text(part, 'pk') === `PART#${id}`);
      const position = item.parked && (JSON.parse(item.parked.S!) as Record<string, string>);
      return {
        id,
        item,
        bytes: Buffer.concat([item, ...rest].map((part) => part.raw!.B!)),
        parked: position && `${position.shard}:${position.sequence}`,
      };
    });
}
