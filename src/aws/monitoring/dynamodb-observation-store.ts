import { randomInt } from 'node:crypto';
import type { MinuteCount } from '../../core/status/event-rate.ts';
import { StepDurations, type StoredStepDurations } from '../../core/status/step-durations.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ObservationStore } from '../../stores/observation-store.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { compress, decompress } from '../dynamodb/compress.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { parseStored } from '../dynamodb/stored-json.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';

/** How many items store a model's step durations. Several items reduce conflicts between writers. */
const stepDurationItems = 8;

/** The partition key of a model's observations. Model ids are never empty, so the key matches no instance. */
const observationPartition = (model: string) => `#observed#${model}`;
const stepDurationPrefix = 'PACE#';
/** Returns the sort key of the item for an hour of the day. The next day reuses the item. */
const hourKey = (hour: string) => `HOUR#${hour.slice(11, 13)}`;
/** Returns the name of the attribute that contains the number of events in a minute. */
const minuteName = (minute: string) => `m${minute.slice(14, 16)}`;
const hourOf = (time: string) => time.slice(0, 13);

/** Stores observations in the instances table. */
export class DynamoDbObservationStore implements ObservationStore {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #paceItem = randomInt(stepDurationItems);

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async addEventCounts(model: string, counts: readonly MinuteCount[]): Promise<void> {
    for (const [hour, minutes] of Map.groupBy(counts, ({ minute }) => hourOf(minute))) {
      if (await this.#addToHour(model, hour, minutes)) continue;
      await this.#beginHour(model, hour);
      // If the item already contains the same hour of a later day, these counts are no longer needed.
      await this.#addToHour(model, hour, minutes);
    }
  }

  async addStepDurations(
    model: string,
    stepDurations: StepDurations,
  ): Promise<'added' | 'conflict'> {
    const key = {
      pk: { S: observationPartition(model) },
      sk: { S: `${stepDurationPrefix}${this.#paceItem}` },
    };
    const { Item } = await this.#client.getItem({
      TableName: this.#table,
      Key: key,
      ConsistentRead: true,
    });
    const revision = Number(Item?.revision?.N ?? 0);
    const whole = stepDurationsIn(Item);
    whole.merge(stepDurations);
    const written = await tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: {
          ...key,
          revision: { N: String(revision + 1) },
          stepDurations: { B: compress(JSON.stringify(whole.toStored())) },
        },
        ConditionExpression: 'attribute_not_exists(revision) OR revision = :revision',
        ExpressionAttributeValues: { ':revision': { N: String(revision) } },
      }),
    );
    return written ? 'added' : 'conflict';
  }

  async eventCounts(models: readonly string[], now: number): Promise<Map<string, MinuteCount[]>> {
    const hours = [hourOf(toIso(now - 3_600_000)), hourOf(toIso(now))];
    const keys = models.flatMap((model) =>
      hours.map((hour) => ({ pk: { S: observationPartition(model) }, sk: { S: hourKey(hour) } })),
    );
    const items = await batchGet(this.#client, this.#table, keys);
    const byPartition = Map.groupBy(items, ({ pk }) => pk!.S!);
    return new Map(
      models.map((model) => [
        model,
        (byPartition.get(observationPartition(model)) ?? []).flatMap(countsIn),
      ]),
    );
  }

  async stepDurations(model: string): Promise<StepDurations> {
    // Each item can have hundreds of kilobytes, so the items together can exceed a page.
    const pages = queryPages(this.#client, {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :pace)',
      ExpressionAttributeValues: {
        ':pk': { S: observationPartition(model) },
        ':pace': { S: stepDurationPrefix },
      },
    });
    const whole = new StepDurations();
    for await (const { Items = [] } of pages)
      for (const item of Items) whole.merge(stepDurationsIn(item));
    return whole;
  }

  #addToHour(model: string, hour: string, counts: readonly MinuteCount[]): Promise<boolean> {
    const add = counts.map(({ minute }, i) => `${minuteName(minute)} :events${i}`);
    return tryConditionalWrite(() =>
      this.#client.updateItem({
        TableName: this.#table,
        Key: { pk: { S: observationPartition(model) }, sk: { S: hourKey(hour) } },
        UpdateExpression: `SET #hour = :hour ADD ${add.join(', ')}`,
        ConditionExpression: 'attribute_not_exists(#hour) OR #hour = :hour',
        ExpressionAttributeNames: { '#hour': 'hour' },
        ExpressionAttributeValues: {
          ':hour': { S: hour },
          ...Object.fromEntries(
            counts.map(({ events }, i) => [`:events${i}`, { N: String(events) }]),
          ),
        },
      }),
    );
  }

  /** Starts an hour by replacing the item for the same hour on an earlier day. */
  #beginHour(model: string, hour: string): Promise<boolean> {
    const key = { pk: { S: observationPartition(model) }, sk: { S: hourKey(hour) } };
    return tryConditionalWrite(() =>
      this.#client.putItem({
        TableName: this.#table,
        Item: { ...key, hour: { S: hour } },
        ConditionExpression: '#hour < :hour',
        ExpressionAttributeNames: { '#hour': 'hour' },
        ExpressionAttributeValues: { ':hour': { S: hour } },
      }),
    );
  }
}

function stepDurationsIn(item: Item | undefined): StepDurations {
  const bytes = item?.stepDurations?.B;
  return bytes
    ? StepDurations.from(parseStored<StoredStepDurations>(decompress(bytes)))
    : new StepDurations();
}

function countsIn({ hour, ...item }: Item): MinuteCount[] {
  return Object.entries(item).flatMap(([name, value]) =>
    /^m\d\d$/.test(name)
      ? { minute: `${hour!.S}:${name.slice(1)}:00.000Z`, events: Number(value.N) }
      : [],
  );
}
