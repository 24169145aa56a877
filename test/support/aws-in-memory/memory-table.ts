import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type PutItemCommandInput,
  type QueryCommandInput,
  type ScanCommandInput,
  type UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { itemBytes } from '../item-size.ts';
import {
  compare,
  compareText,
  conditionOf,
  type Item,
  type Placeholders,
  updateOf,
} from './dynamodb-expressions.ts';

/** The key attributes of a table or index. */
export interface KeySchema {
  readonly partition: string;
  readonly sort: string;
}

/** The key attributes of a table. Without a sort key, each partition has one item. */
export type TableKey = Pick<KeySchema, 'partition'> & Partial<KeySchema>;

/** A condition on the item that a write replaces. */
type Condition = { readonly ConditionExpression?: string } & Placeholders;

const usualKey: TableKey = { partition: 'pk', sort: 'sk' };
const maximumItemBytes = 400 * 1024;
const maximumPageBytes = 1024 * 1024;

/** Receives each change to an item, like the stream of a table. */
export type TableListener = (before: Item | undefined, after: Item | undefined) => void;

export class Table {
  readonly #listeners: TableListener[] = [];
  readonly #indexes: Readonly<Record<string, KeySchema>>;
  readonly #key: TableKey;
  readonly #partitions = new Map<string, Partition>();
  /** The sorted items of each index that was queried since the last write. */
  readonly #sortedIndexes = new Map<string, readonly Item[]>();

  /** @param key default: `pk` and `sk` */
  constructor(indexes: Readonly<Record<string, KeySchema>>, key: TableKey = usualKey) {
    this.#indexes = indexes;
    this.#key = key;
  }

  /** Calls `listener` synchronously with every change to an item. */
  listen(listener: TableListener): void {
    this.#listeners.push(listener);
  }

  get(key: Item): Item | undefined {
    checkKeys(key, this.#key);
    const [partition, sort] = this.#placeOf(key);
    return this.#partitions.get(partition)?.get(sort);
  }

  put(input: PutItemCommandInput): object {
    const before = input.ReturnValues === 'ALL_OLD' ? this.get(input.Item!) : undefined;
    this.write(input.Item!, input);
    return before ? { Attributes: before } : {};
  }

  write(item: Item, condition: Condition): object {
    this.#checkCondition(item, condition);
    this.#check(item);
    const [name, sort] = this.#placeOf(item);
    const partition = this.#partitions.get(name) ?? new Partition();
    this.#partitions.set(name, partition);
    const [before, after] = [partition.get(sort), copyOf(item)];
    partition.set(sort, after);
    this.#sortedIndexes.clear();
    if (!isDeepStrictEqual(before, after)) this.#notify(before, after);
    return {};
  }

  update(input: UpdateItemCommand['input']): object {
    const update = updateOf(input.UpdateExpression!, input);
    const before = this.get(input.Key!);
    this.write(update(before ?? input.Key!), input);
    if (input.ReturnValues === 'ALL_NEW') return { Attributes: this.get(input.Key!)! };
    return input.ReturnValues === 'ALL_OLD' && before ? { Attributes: before } : {};
  }

  delete(key: Item, condition: Condition = {}): object {
    this.#checkCondition(key, condition);
    const [partition, sort] = this.#placeOf(key);
    const before = this.get(key);
    this.#partitions.get(partition)?.delete(sort);
    this.#sortedIndexes.clear();
    if (before) this.#notify(before, undefined);
    return {};
  }

  query(input: QueryCommandInput): object {
    const schema = this.#schemaOf(input.IndexName);
    const order = inOrderOf(schema);
    const forward = input.ScanIndexForward ?? true;
    const start = input.ExclusiveStartKey;
    const isFound = conditionOf(input.KeyConditionExpression!, input);
    const isAhead = (item: Item) =>
      !start || (forward ? order(item, start) > 0 : order(item, start) < 0);
    const limit = input.Limit ?? Infinity;
    const Items: Item[] = [];
    let bytes = 0;
    let stopped = false;
    const candidates = this.#candidates(input, schema);
    for (const item of forward ? candidates : candidates.toReversed()) {
      if (!isFound(item) || !isAhead(item)) continue;
      bytes += itemBytes(item);
      stopped = Items.length > 0 && bytes > maximumPageBytes;
      if (stopped) break;
      Items.push(item);
      // DynamoDB returns the last key even if the page ends with the last item.
      stopped = Items.length === limit;
      if (stopped) break;
    }
    return {
      ...(input.Select === 'COUNT' ? {} : { Items: Items.map(projected(input)) }),
      Count: Items.length,
      ...(stopped ? { LastEvaluatedKey: this.#keysOf(Items.at(-1)!, schema) } : {}),
    };
  }

  /** Scans the table. The limit applies to the items that are read, not to the items that match the filter. */
  scan(input: ScanCommandInput): object {
    const { FilterExpression: filter } = input;
    const isFound = filter === undefined ? () => true : conditionOf(filter, input);
    const start = input.ExclusiveStartKey;
    const order = inOrderOf(this.#key);
    const schema = this.#schemaOf(input.IndexName);
    const ahead = this.items().filter(
      (item) => item[schema.partition] && (!start || order(item, start) > 0),
    );
    const page: Item[] = [];
    let bytes = 0;
    for (const item of ahead.slice(0, input.Limit ?? Infinity)) {
      bytes += itemBytes(item);
      if (page.length > 0 && bytes > maximumPageBytes) break;
      page.push(item);
    }
    const Items = page.filter(isFound).map(projected(input));
    const last = page.length < ahead.length ? page.at(-1) : undefined;
    const end = last && { LastEvaluatedKey: this.#keysOf(last, this.#key) };
    return { Items, ScannedCount: page.length, ...end };
  }

  items(partition?: string): Item[] {
    if (partition !== undefined) return this.#partitions.get(partition)?.items() ?? [];
    const keys = [...this.#partitions.keys()].toSorted(compareText);
    return keys.flatMap((pk) => this.#partitions.get(pk)!.items());
  }

  /** Returns the items of a partition of the table, or all items of an index, in ascending order of their keys. */
  #candidates(input: QueryCommandInput, schema: TableKey): readonly Item[] {
    if (input.IndexName !== undefined) return this.#itemsOfIndex(input.IndexName, schema);
    const [, value] = /^pk = (:\w+)(?: AND |$)/.exec(input.KeyConditionExpression!) ?? [];
    if (value === undefined) throw invalid('a key condition must name the partition first');
    return this.#partitions.get(input.ExpressionAttributeValues![value]!.S!)?.items() ?? [];
  }

  #itemsOfIndex(name: string, schema: TableKey): readonly Item[] {
    const known = this.#sortedIndexes.get(name);
    if (known) return known;
    const items = this.items()
      .filter((item) => item[schema.partition] && item[schema.sort!])
      .toSorted(inOrderOf(schema));
    this.#sortedIndexes.set(name, items);
    return items;
  }

  /** @throws ConditionalCheckFailedException if the existing item does not meet the condition */
  #checkCondition(key: Item, condition: Condition): void {
    const { ConditionExpression: expression } = condition;
    if (expression && !conditionOf(expression, condition)(this.get(key) ?? {}))
      throw new ConditionalCheckFailedException({
        message: 'The conditional request failed',
        $metadata: {},
      });
  }

  /** Returns the partition key and the sort key of an item. The sort key is empty if the table has none. */
  #placeOf(item: Item): [partition: string, sort: string] {
    const { partition, sort } = this.#key;
    return [item[partition]!.S!, sort === undefined ? '' : item[sort]!.S!];
  }

  #notify(...change: Parameters<TableListener>): void {
    for (const listener of this.#listeners) listener(...change);
  }

  #schemaOf(index: string | undefined): TableKey {
    const schema = index === undefined ? this.#key : this.#indexes[index];
    if (!schema) throw new Error(`the index ${index} does not exist`);
    return schema;
  }

  #keysOf(item: Item, { partition, sort }: TableKey): Item {
    const names = new Set([this.#key.partition, this.#key.sort, partition, sort]);
    names.delete(undefined);
    return Object.fromEntries([...names].map((name) => [name!, item[name!]!]));
  }

  #check(item: Item): void {
    const bytes = itemBytes(item);
    if (bytes > maximumItemBytes) throw invalid('Item size has exceeded the maximum allowed size');
    checkKeys(item, this.#key);
    for (const schema of Object.values(this.#indexes))
      if (item[schema.partition] || item[schema.sort]) checkKeys(item, schema, 'if there');
  }
}

/** @throws ServiceError for an invalid key. The limits are in bytes of UTF-8. */
function checkKeys(item: Item, { partition, sort }: TableKey, when?: 'if there'): void {
  for (const [name, most] of [
    [partition, 2048],
    [sort, 1024],
  ] as const) {
    if (name === undefined || (when && !item[name])) continue;
    const length = Buffer.byteLength(item[name]?.S ?? '');
    if (length === 0 || length > most) throw invalid(`${name} is not a valid key: ${length} bytes`);
  }
}

/** The items with one partition key, sorted by sort key. */
class Partition {
  readonly #items = new Map<string, Item>();
  readonly #sorted: string[] = [];

  get(sk: string): Item | undefined {
    return this.#items.get(sk);
  }

  set(sk: string, item: Item): void {
    if (!this.#items.has(sk)) this.#sorted.splice(this.#placeOf(sk), 0, sk);
    this.#items.set(sk, item);
  }

  delete(sk: string): void {
    if (this.#items.delete(sk)) this.#sorted.splice(this.#placeOf(sk), 1);
  }

  items(): Item[] {
    return this.#sorted.map((sk) => this.#items.get(sk)!);
  }

  #placeOf(sk: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareText(this.#sorted[middle]!, sk) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns a function that selects the projected attributes of an item. */
function projected({
  ProjectionExpression,
  ExpressionAttributeNames,
}: QueryCommandInput | ScanCommandInput) {
  const names = ProjectionExpression?.split(', ').map(
    (name) => ExpressionAttributeNames?.[name] ?? name,
  );
  return (item: Item): Item =>
    names
      ? Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])))
      : item;
}

const inOrderOf = (schema: TableKey) => (a: Item, b: Item) =>
  [schema.partition, schema.sort ?? '', 'pk', 'sk']
    .map((name) => compare(a[name] ?? { S: '' }, b[name] ?? { S: '' })!)
    .find((order) => order !== 0) ?? 0;

/** Copies an item so that callers cannot change it, and converts buffers to plain bytes. */
function copyOf(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value.B ? { B: new Uint8Array(value.B) } : value,
    ]),
  );
}

/** The error that the client throws if DynamoDB rejects an invalid request. */
export const invalid = (message: string) => new ServiceError('ValidationException', message, 400);
