import { hash } from 'node:crypto';
import pMap from 'p-map';
import type { Clock } from '../../common/clock.ts';
import type { DeadLetter } from '../../core/event/dead-letter.ts';
import type { ParkedEvent } from '../../parking/parking-store.ts';
import type { CappedCount } from '../../stores/capped-count.ts';
import type { DeadLetterStore, LetterPageRequest } from '../../stores/dead-letter-store.ts';
import type { ListPage } from '../../stores/paging.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { deleteAll } from '../dynamodb/execute-statements.ts';
import { insertSmallItems } from '../dynamodb/insert-items.ts';
import { settleRemaining } from '../dynamodb/settle.ts';
import { parseStored } from '../dynamodb/stored-json.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { mergePages } from '../lists/merge-pages.ts';

/**
 * How long a dead letter is kept, in seconds. The dead letter of a parked event is kept as long as the event is parked.
 */
const retentionSeconds = 30 * 24 * 60 * 60;
/** How long a claim lasts, in milliseconds: longer than a request to the API can take. */
const claimMs = 30_000;
/**
 * The maximum number of bytes of a record in one item. DynamoDB limits an item, including all attributes, to 400 KB.
 */
const partBytes = 350 * 1024;
/**
 * The maximum total size of the records on a page, in bytes. In Base64, the records must fit into a Lambda response of
 * 6 MB.
 */
const maximumPageBytes = 3 * 1024 * 1024;

/**
 * Stores dead letters in a DynamoDB table. Dead letters are distributed across several partitions, and each partition
 * is sorted by arrival. A record that is too large for one item is split into several items.
 */
export class DynamoDbDeadLetterStore implements DeadLetterStore {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDb, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async put(letters: readonly DeadLetter[]): Promise<SettledResult<void>[]> {
    const items = letters.map((letter) => toItems(letter, this.#expiryOf(letter)));
    const alone = items.map(([first, ...rest]) => (rest.length === 0 ? first : undefined));
    const inserted = await insertSmallItems(this.#client, this.#table, alone);
    const tried = inserted.map((answer) => {
      const isDone = answer && 'value' in answer && answer.value === 'done';
      return isDone ? { value: undefined } : undefined;
    });
    return settleRemaining(items, tried, ([first, ...rest]) => this.#put(first!, rest));
  }

  async replace(letter: DeadLetter): Promise<void> {
    // The items with the other parts of the record do not change.
    const [first] = toItems(letter, this.#expiryOf(letter));
    await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: first!,
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
  }

  async get(id: string): Promise<DeadLetter | undefined> {
    const { Item } = await this.#client.getItem({
      TableName: this.#table,
      Key: keyOf(id),
      ConsistentRead: true,
    });
    return Item && this.#read(Item);
  }

  async list({
    limit,
    cursor,
    order = 'newest',
  }: LetterPageRequest): Promise<ListPage<DeadLetter>> {
    const [comparison, start] = order === 'newest' ? ['<', '~'] : ['>', ' '];
    const pages = await pMap(partitions, async (pk) => {
      const { Items, LastEvaluatedKey } = await this.#client.query({
        TableName: this.#table,
        KeyConditionExpression: `pk = :pk AND sk ${comparison} :id`,
        ExpressionAttributeValues: { ':pk': { S: pk }, ':id': { S: cursor ?? start } },
        ScanIndexForward: order === 'oldest',
        Limit: limit + 1,
        ConsistentRead: true,
      });
      return { items: Items ?? [], cut: LastEvaluatedKey !== undefined };
    });
    const merged = mergePages(pages, idOf, order);
    const { items, read } = await this.#readUpTo(merged.items.slice(0, limit));
    const more = merged.more || read < merged.items.length;
    return more ? { items, cursor: idOf(merged.items[read - 1]!) } : { items };
  }

  async count(limit: number): Promise<CappedCount> {
    // A scan needs one request, while queries need one request per partition.
    const { Items = [], LastEvaluatedKey } = await this.#client.scan({
      TableName: this.#table,
      FilterExpression: 'begins_with(pk, :letter)',
      ExpressionAttributeValues: { ':letter': { S: letterPrefix } },
      ProjectionExpression: 'pk',
      Limit: limit,
    });
    return { count: Items.length, more: LastEvaluatedKey !== undefined };
  }

  claim(id: string): Promise<boolean> {
    const now = this.#clock.now();
    return tryConditionalWrite(() =>
      this.#client.updateItem({
        TableName: this.#table,
        Key: keyOf(id),
        UpdateExpression: 'SET claimedUntil = :until',
        ConditionExpression:
          'attribute_exists(pk) AND attribute_not_exists(claimedUntil) OR claimedUntil <= :now',
        ExpressionAttributeValues: {
          ':until': { N: String(now + claimMs) },
          ':now': { N: String(now) },
        },
      }),
    );
  }

  async release(id: string): Promise<void> {
    await tryConditionalWrite(() =>
      this.#client.updateItem({
        TableName: this.#table,
        Key: keyOf(id),
        UpdateExpression: 'REMOVE claimedUntil',
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
  }

  async remove(id: string): Promise<void> {
    const letter = await this.get(id);
    if (!letter) return;
    for (const { pk, sk } of toItems(letter))
      await this.#client.deleteItem({ TableName: this.#table, Key: { pk: pk!, sk: sk! } });
  }

  async removeParked(
    parked: readonly Pick<ParkedEvent, 'letterId' | 'hasLargeLetter'>[],
  ): Promise<void> {
    const oneItem = parked.filter(({ hasLargeLetter }) => !hasLargeLetter);
    const keys = oneItem.map(({ letterId }) => keyOf(letterId));
    await deleteAll(this.#client, this.#table, keys);
    for (const { letterId, hasLargeLetter } of parked)
      if (hasLargeLetter) await this.remove(letterId);
  }

  async #put(first: Item, rest: readonly Item[]): Promise<void> {
    for (const item of rest) await this.#client.putItem({ TableName: this.#table, Item: item });
    // The dead letter of a parked event is not overwritten if the record is redelivered. It remains marked as parked
    // until the event leaves the queue.
    await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: first,
        ConditionExpression: 'attribute_not_exists(parked)',
      }),
    );
  }

  /** Returns when a dead letter expires, in seconds since 1970; undefined if it never expires. */
  #expiryOf({ parked }: DeadLetter): number | undefined {
    return parked ? undefined : Math.floor(this.#clock.now() / 1000) + retentionSeconds;
  }

  /**
   * Reads dead letters until the page reaches its size limit. A single record can contain up to 10 MB.
   *
   * @returns the dead letters and the number of processed items, including items of incomplete dead letters.
   */
  async #readUpTo(items: readonly Item[]): Promise<{ items: DeadLetter[]; read: number }> {
    const letters: DeadLetter[] = [];
    let bytes = 0;
    for (const [read, item] of items.entries()) {
      const letter = await this.#read(item);
      if (!letter) continue;
      bytes += letter.raw.byteLength;
      if (bytes > maximumPageBytes && letters.length > 0) return { items: letters, read };
      letters.push(letter);
    }
    return { items: letters, read: items.length };
  }

  /**
   * Reads a dead letter with all of its parts. Returns undefined if a part is missing, which can happen while the dead
   * letter is being deleted and after it has expired.
   */
  async #read(item: Item): Promise<DeadLetter | undefined> {
    const id = idOf(item);
    const parts = [item.raw!.B!];
    for (let part = 1; part < Number(item.parts!.N); part++) {
      const { Item } = await this.#client.getItem({
        TableName: this.#table,
        Key: partKeyOf(id, part),
        ConsistentRead: true,
      });
      if (!Item) return undefined;
      parts.push(Item.raw!.B!);
    }
    return {
      id,
      reason: item.reason!.S!,
      at: item.at!.S!,
      modelId: item.modelId?.S ?? null,
      transactionId: item.transactionId?.S ?? null,
      eventId: item.eventId?.S ?? null,
      partitionKey: item.partitionKey!.S!,
      parked: item.parked ? parseStored<DeadLetter['parked']>(item.parked.S!) : null,
      ...(item.stream && { isNotification: true as const }),
      raw: Buffer.concat(parts),
    };
  }
}

/** The number of partitions across which dead letters are distributed to avoid a hot partition. */
const partitionCount = 8;

/** The prefix of dead letters' partition keys. The other items in the table contain more parts of large records. */
const letterPrefix = 'DEAD#';

const partitions = Array.from({ length: partitionCount }, (_, shard) => `${letterPrefix}${shard}`);

function keyOf(id: string) {
  const shard = Number.parseInt(hash('sha1', id).slice(0, 8), 16) % partitionCount;
  return { pk: { S: `${letterPrefix}${shard}` }, sk: { S: id } };
}

const idOf = (item: Item) => item.sk!.S!;

const partKeyOf = (id: string, part: number) => ({
  pk: { S: `PART#${id}` },
  sk: { S: String(part).padStart(4, '0') },
});

/** Returns the items of a dead letter: the dead letter itself, followed by the other parts of its bytes. */
function toItems(letter: DeadLetter, expiresAt?: number): Item[] {
  const count = Math.max(1, Math.ceil(letter.raw.byteLength / partBytes));
  const part = (index: number) => ({
    raw: { B: letter.raw.subarray(index * partBytes, (index + 1) * partBytes) },
    ...(expiresAt !== undefined && { expiresAt: { N: String(expiresAt) } }),
  });
  const hints = {
    modelId: letter.modelId,
    transactionId: letter.transactionId,
    eventId: letter.eventId,
  };
  const known = Object.entries(hints).filter((hint): hint is [string, string] => hint[1] !== null);
  const main: Item = {
    ...keyOf(letter.id),
    reason: { S: letter.reason },
    at: { S: letter.at },
    partitionKey: { S: letter.partitionKey },
    ...(letter.parked ? { parked: { S: JSON.stringify(letter.parked) } } : {}),
    ...(letter.isNotification && { stream: { S: 'notifications' } }),
    parts: { N: String(count) },
    ...Object.fromEntries(known.map(([name, value]) => [name, { S: value }])),
    ...part(0),
  };
  const rest = Array.from({ length: count - 1 }, (_, i) => ({
    ...partKeyOf(letter.id, i + 1),
    ...part(i + 1),
  }));
  return [main, ...rest];
}
