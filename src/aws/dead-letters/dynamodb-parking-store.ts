import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { type Clock, systemClock } from '../../common/clock.ts';
import { mapWithin } from '../../common/map-within.ts';
import { MilepostError } from '../../core/errors.ts';
import type { InstanceKey, TrackedEvent } from '../../core/event/event.ts';
import type { StreamPosition } from '../../core/history/sequence.ts';
import { parkedStatus } from '../../core/status/status-row.ts';
import type {
  ParkedEvent,
  ParkingStore,
  QueueChange,
  QueueSummary,
} from '../../parking/parking-store.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { compress, decompress } from '../dynamodb/compress.ts';
import { deleteAll } from '../dynamodb/execute-statements.ts';
import { insertItem, insertSmallItems } from '../dynamodb/insert-items.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { settleRemaining } from '../dynamodb/settle.ts';
import { parseStored } from '../dynamodb/stored-json.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { IndexPartitions } from '../instances/index-partitions.ts';
import {
  itemKey,
  parkedKey,
  parkedPrefix,
  partitionOf,
  statusKey,
} from '../instances/instance-keys.ts';
import {
  announcementOf,
  announcementsIn,
  endedAnnouncements,
  queueSummaryIn,
  queueVersionOf,
} from '../instances/queue-row.ts';
import type { StatusAttribute } from '../instances/status-attributes.ts';
import { StatusesInUse } from '../instances/statuses-in-use.ts';
import { isLarge } from '../instances/stored-body.ts';
import {
  announceUpdate,
  clearUpdate,
  isObsolete,
  type QueueCount,
  queueUpdate,
  withdrawUpdate,
} from './queue-update.ts';

/**
 * The maximum total size of the events on a page, as JSON, in characters. DynamoDB limits a page to 1 MB of compressed
 * events, which can be a hundred times larger in memory.
 */
const maximumPageCharacters = 4 * 1024 * 1024;
/**
 * How many interrupted changes a row can announce before the next change deletes their announcements. While parking
 * keeps failing, each attempt adds an announcement, and after thousands of attempts, the row would exceed the maximum
 * size of an item.
 */
const maximumInterrupted = 50;

/**
 * How many times to try to count a queue that changes while it is counted. A count of a long queue takes seconds, and
 * the other records of a batch wait for it. If all attempts fail, the change remains announced, and the stream
 * redelivers the event.
 */
const maximumRecounts = 5;

/** Stores parked events in the item collections of their instances. */
export class DynamoDbParkingStore implements ParkingStore {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;
  readonly #partitions: IndexPartitions;
  readonly #statuses: StatusesInUse;

  constructor(client: DynamoDb, table: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
    const instances = { client, table, clock };
    this.#partitions = new IndexPartitions(instances);
    this.#statuses = new StatusesInUse(instances);
  }

  async begin(instance: InstanceKey, cause: StreamPosition): Promise<QueueChange> {
    const now = this.#clock.now();
    const name = announcementOf(cause, now);
    const update = announceUpdate(this.#table, instance, name);
    const { Attributes: row } = await this.#client.updateItem(update);
    const announced = announcementsIn(row);
    // Keep the new announcement so that an interruption of this change is also detected.
    const [, ...ended] = endedAnnouncements(name, announced, now);
    if (ended.length >= maximumInterrupted)
      await this.#client.updateItem(withdrawUpdate(this.#table, instance, ended));
    const isAlone = announced.length === 0;
    const before = isAlone ? queueSummaryIn(row) : undefined;
    return { instance, name, version: queueVersionOf(row) + 1, before };
  }

  async park(
    parked: readonly ParkedEvent[],
  ): Promise<SettledResult<'parked' | 'already parked'>[]> {
    const items = parked.map(toItem);
    const tried = await insertSmallItems(this.#client, this.#table, items);
    const answers = await settleRemaining(items, tried, (item) =>
      insertItem(this.#client, this.#table, item),
    );
    return answers.map((answer) =>
      'error' in answer ? answer : { value: answer.value === 'done' ? 'parked' : 'already parked' },
    );
  }

  async replace(parked: ParkedEvent): Promise<void> {
    await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: toItem(parked),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
  }

  async find(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<ParkedEvent[]> {
    const keys = positions.map((position) => keyOf(instance, position));
    return (await batchGet(this.#client, this.#table, keys, { clock: this.#clock })).map((item) =>
      fromItem(item, eventJson(item)),
    );
  }

  async oldest(instance: InstanceKey, limit: number): Promise<ParkedEvent[]> {
    const query = { ...this.#parkedOf(instance), Limit: limit };
    const { Items = [] } = await this.#client.query(query);
    const fitting = mapWithin(
      maximumPageCharacters,
      Items,
      (item) => ({ item, json: eventJson(item) }),
      ({ json }) => json.length,
    );
    return fitting.map(({ item, json }) => fromItem(item, json));
  }

  async count(instance: InstanceKey): Promise<number> {
    const row = await this.#rowOf(instance);
    return row && announcementsIn(row).length === 0
      ? queueSummaryIn(row).count
      : this.#counted(instance);
  }

  async remove(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<void> {
    const keys = positions.map((position) => keyOf(instance, position));
    await deleteAll(this.#client, this.#table, keys);
  }

  async finish(change: QueueChange, after: QueueSummary): Promise<'finished' | 'interfered'> {
    const { instance, name, version } = change;
    const counted = { ...after, seen: version, ended: [name] };
    const update = (await this.#queueUpdate(instance, counted))!;
    return (await this.#writeCount(instance, update)) ? 'finished' : 'interfered';
  }

  async recount(instance: InstanceKey, change?: QueueChange): Promise<void> {
    // Other functions park and redrive events concurrently. The count is written only if the queue has not changed
    // since the row was read: a stale count could hide events that were parked in the meantime.
    for (let attempt = 0; attempt < maximumRecounts; attempt++) {
      const row = await this.#rowOf(instance);
      const [first] = await this.oldest(instance, 1);
      const count = first ? await this.#counted(instance) : 0;
      const counted = {
        count,
        // The count can be 0 because the oldest event can leave the queue after it is read.
        since: count > 0 ? first?.at : undefined,
        seen: row && queueVersionOf(row),
        ended: change
          ? endedAnnouncements(change.name, announcementsIn(row), this.#clock.now())
          : [],
      };
      const update = await this.#queueUpdate(instance, counted);
      if (!update || (await this.#writeCount(instance, update))) return;
    }
    throw new MilepostError(
      'contention',
      `the parked events of ${instance.model}/${instance.transaction} changed during ${maximumRecounts} consecutive counts; try again`,
    );
  }

  /**
   * Sends the update of a count. If neither a commit nor a parked event is left, clears the row: lists and counters must
   * not contain the instance.
   *
   * @returns false if the condition of the update failed.
   */
  async #writeCount(instance: InstanceKey, update: UpdateItemCommandInput): Promise<boolean> {
    let row: Item | undefined;
    const isWritten = await tryConditionalWrite(async () => {
      const answer = await this.#client.updateItem({ ...update, ReturnValues: 'ALL_NEW' });
      row = answer.Attributes;
    });
    if (row && isObsolete(row)) {
      const clearing = clearUpdate(this.#table, instance, row);
      await tryConditionalWrite(() => this.#client.updateItem(clearing));
    }
    return isWritten;
  }

  async #queueUpdate(
    instance: InstanceKey,
    counted: QueueCount,
  ): Promise<UpdateItemCommandInput | undefined> {
    const partitions = await this.#partitions.toWrite();
    // The update may create the row.
    if (counted.since !== undefined)
      await this.#statuses.record([{ model: instance.model, status: parkedStatus }]);
    return queueUpdate(this.#table, instance, counted, partitions);
  }

  async #rowOf(instance: InstanceKey): Promise<Item | undefined> {
    const key = itemKey(instance, statusKey);
    const [row] = await batchGet(this.#client, this.#table, [key], {
      attributes: rowAttributes,
      clock: this.#clock,
    });
    return row;
  }

  async #counted(instance: InstanceKey): Promise<number> {
    const pages = queryPages(this.#client, { ...this.#parkedOf(instance), Select: 'COUNT' });
    let count = 0;
    for await (const { Count = 0 } of pages) count += Count;
    return count;
  }

  #parkedOf(instance: InstanceKey) {
    return {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :parked)',
      ExpressionAttributeValues: {
        ':pk': { S: partitionOf(instance) },
        ':parked': { S: parkedPrefix },
      },
      ConsistentRead: true,
    };
  }
}

const rowAttributes = [
  'pk',
  'queueVersion',
  'parking',
  'parked',
  'parkedKey',
] satisfies StatusAttribute[];

const keyOf = (instance: InstanceKey, position: StreamPosition) =>
  itemKey(instance, parkedKey(position));

function toItem(parked: ParkedEvent): Item {
  const event = JSON.stringify(parked.event);
  return {
    ...keyOf(parked.event, parked.position),
    // A compressed event always fits into an item. An uncompressed event can be too large because its numbers can be
    // longer than in the original JSON.
    event: isLarge(event) ? { B: compress(event) } : { S: event },
    position: { S: JSON.stringify(parked.position) },
    reason: { S: parked.reason },
    fault: { BOOL: parked.fault },
    at: { S: parked.at },
    letterId: { S: parked.letterId },
    ...(parked.hasLargeLetter && { hasLargeLetter: { BOOL: true } }),
  };
}

/** Reads the event in an item, as JSON. */
const eventJson = ({ event }: Item): string => event!.S ?? decompress(event!.B!);

function fromItem(item: Item, json: string): ParkedEvent {
  return {
    event: parseStored<TrackedEvent>(json),
    position: parseStored<StreamPosition>(item.position!.S!),
    reason: item.reason!.S!,
    fault: item.fault!.BOOL!,
    at: item.at!.S!,
    letterId: item.letterId!.S!,
    ...(item.hasLargeLetter && { hasLargeLetter: true }),
  };
}
