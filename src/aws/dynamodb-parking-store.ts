import type { StreamPosition } from '../core/commit.ts';
import type { InstanceKey, TrackedEvent } from '../core/event.ts';
import type { ParkedEvent, ParkingStore, QueueChange } from '../service/ports.ts';
import type { DynamoDb } from './client/dynamodb.ts';
import type { Item } from './commit-item.ts';
import { unlessConditionFails } from './conditional.ts';
import { parkedKey, parkedPrefix, partitionOf, statusKey } from './instance-keys.ts';
import { pack, unpack } from './packed.ts';
import { announcement, parkedUpdate } from './parked-update.ts';
import { isLarge } from './stored-text.ts';

/** Parked events, in the item collections of their instances. */
export class DynamoDbParkingStore implements ParkingStore {
  readonly #client: DynamoDb;
  readonly #table: string;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async announce(instance: InstanceKey, name: string): Promise<void> {
    const update = announcement(this.#table, instance, name);
    await this.#client.updateItem(update);
  }

  async park(parked: ParkedEvent): Promise<void> {
    await this.#client.putItem({ TableName: this.#table, Item: toItem(parked) });
  }

  async replace(parked: ParkedEvent): Promise<void> {
    await unlessConditionFails(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: toItem(parked),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
  }

  async has(instance: InstanceKey, position: StreamPosition): Promise<boolean> {
    const { pk, sk } = keyOf(instance, position);
    const { Count } = await this.#client.query({
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
      ConsistentRead: true,
      Select: 'COUNT',
    });
    return Count === 1;
  }

  async oldest(instance: InstanceKey, limit: number): Promise<ParkedEvent[]> {
    const { Items } = await this.#client.query({ ...this.#parkedOf(instance), Limit: limit });
    return (Items ?? []).map(fromItem);
  }

  async count(instance: InstanceKey): Promise<number> {
    let count = 0;
    for (let from: Item | undefined, more = true; more; more = from !== undefined) {
      const { Count, LastEvaluatedKey } = await this.#client.query({
        ...this.#parkedOf(instance),
        Select: 'COUNT',
        ExclusiveStartKey: from,
      });
      count += Count ?? 0;
      from = LastEvaluatedKey;
    }
    return count;
  }

  async remove(instance: InstanceKey, position: StreamPosition): Promise<void> {
    const Key = keyOf(instance, position);
    await this.#client.deleteItem({ TableName: this.#table, Key });
  }

  async writeCount(
    instance: InstanceKey,
    { leaving = 0, parked }: QueueChange = {},
  ): Promise<void> {
    // Others park and redrive meanwhile: what is counted has to be what was there since the row was
    // read, or else a count of before could hide from others what is parked now.
    for (let written = false; !written; ) {
      const seen = await this.#queueVersionOf(instance);
      const [first] = await this.oldest(instance, 1);
      const count = first ? Math.max(0, (await this.count(instance)) - leaving) : 0;
      const update = parkedUpdate(this.#table, instance, { count, since: first?.at, seen, parked });
      if (!update) return;
      written = await unlessConditionFails(() => this.#client.updateItem(update));
    }
  }

  /** How often the queue's count was written; undefined where there is no row. */
  async #queueVersionOf(instance: InstanceKey): Promise<string | undefined> {
    const { Item: row } = await this.#client.getItem({
      TableName: this.#table,
      Key: { pk: { S: partitionOf(instance) }, sk: { S: statusKey } },
      ConsistentRead: true,
    });
    return row && (row.queueVersion?.N ?? '0');
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

const keyOf = (instance: InstanceKey, position: StreamPosition) => ({
  pk: { S: partitionOf(instance) },
  sk: { S: parkedKey(position) },
});

function toItem(parked: ParkedEvent): Item {
  const event = JSON.stringify(parked.event);
  return {
    ...keyOf(parked.event, parked.position),
    // Compressed it surely fits: a number may be longer written out than it came.
    event: isLarge(event) ? { B: pack(event) } : { S: event },
    position: { S: JSON.stringify(parked.position) },
    reason: { S: parked.reason },
    fault: { BOOL: parked.fault },
    at: { S: parked.at },
    letterId: { S: parked.letterId },
  };
}

function fromItem(item: Item): ParkedEvent {
  return {
    event: JSON.parse(item.event!.S ?? unpack(item.event!.B!)) as TrackedEvent,
    position: JSON.parse(item.position!.S!) as StreamPosition,
    reason: item.reason!.S!,
    fault: item.fault!.BOOL!,
    at: item.at!.S!,
    letterId: item.letterId!.S!,
  };
}
