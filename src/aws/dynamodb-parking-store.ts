import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { StreamPosition } from '../core/commit.ts';
import type { InstanceKey, TrackedEvent } from '../core/event.ts';
import type { ParkedEvent, ParkingStore } from '../service/ports.ts';
import type { Item } from './commit-item.ts';
import { unlessConditionFails } from './conditional.ts';
import { parkedKey, parkedPrefix, partitionOf } from './instance-keys.ts';
import { parkedUpdate } from './status-item.ts';
import { isLarge } from './stored-text.ts';

/** Parked events, in the item collections of their instances. */
export class DynamoDbParkingStore implements ParkingStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async park(parked: ParkedEvent): Promise<void> {
    await this.#client.send(new PutItemCommand({ TableName: this.#table, Item: toItem(parked) }));
  }

  async replace(parked: ParkedEvent): Promise<void> {
    await unlessConditionFails(() =>
      this.#client.send(
        new PutItemCommand({
          TableName: this.#table,
          Item: toItem(parked),
          ConditionExpression: 'attribute_exists(pk)',
        }),
      ),
    );
  }

  async has(instance: InstanceKey, position: StreamPosition): Promise<boolean> {
    const { pk, sk } = keyOf(instance, position);
    const { Count } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk AND sk = :sk',
        ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
        ConsistentRead: true,
        Select: 'COUNT',
      }),
    );
    return Count === 1;
  }

  async oldest(instance: InstanceKey, limit: number): Promise<ParkedEvent[]> {
    const { Items } = await this.#client.send(
      new QueryCommand({ ...this.#parkedOf(instance), Limit: limit }),
    );
    return (Items ?? []).map(fromItem);
  }

  async count(instance: InstanceKey): Promise<number> {
    let count = 0;
    for (let from: Item | undefined, more = true; more; more = from !== undefined) {
      const { Count, LastEvaluatedKey } = await this.#client.send(
        new QueryCommand({
          ...this.#parkedOf(instance),
          Select: 'COUNT',
          ExclusiveStartKey: from,
        }),
      );
      count += Count ?? 0;
      from = LastEvaluatedKey;
    }
    return count;
  }

  async remove(instance: InstanceKey, position: StreamPosition): Promise<void> {
    const Key = keyOf(instance, position);
    await this.#client.send(new DeleteItemCommand({ TableName: this.#table, Key }));
  }

  async writeCount(instance: InstanceKey, leaving = 0): Promise<void> {
    // Others park and redrive meanwhile: what was written last has to be what is so after it.
    for (let written: number | undefined; ; ) {
      const [first] = await this.oldest(instance, 1);
      const count = first ? Math.max(0, (await this.count(instance)) - leaving) : 0;
      if (count === written) return;
      const update = parkedUpdate(this.#table, instance, count, first?.at);
      await unlessConditionFails(() => this.#client.send(new UpdateItemCommand(update)));
      written = count;
    }
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
    event: isLarge(event) ? { B: zstdCompressSync(event) } : { S: event },
    position: { S: JSON.stringify(parked.position) },
    reason: { S: parked.reason },
    fault: { BOOL: parked.fault },
    at: { S: parked.at },
    letterId: { S: parked.letterId },
  };
}

function fromItem(item: Item): ParkedEvent {
  return {
    event: JSON.parse(
      item.event!.S ?? zstdDecompressSync(item.event!.B!).toString(),
    ) as TrackedEvent,
    position: JSON.parse(item.position!.S!) as StreamPosition,
    reason: item.reason!.S!,
    fault: item.fault!.BOOL!,
    at: item.at!.S!,
    letterId: item.letterId!.S!,
  };
}
