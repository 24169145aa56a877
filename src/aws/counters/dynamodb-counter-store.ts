import type { Clock } from '../../common/clock.ts';
import { MilepostError } from '../../core/errors.ts';
import type { CountedChange } from '../../counter/changes-in-generation.ts';
import type { CounterFailure, CounterStore } from '../../counter/count-changes.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { isServiceError } from '../client/transport/service-error.ts';
import { settleEach } from '../dynamodb/settle.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import {
  countedUpTo,
  expiredPositions,
  isCounted,
  shardAttribute,
  sortablePosition,
} from './counted-shards.ts';
import { counterAttribute, counterKey, modelsAttribute, modelsKey } from './counter-keys.ts';

/** How many times to try to update an item that other invocations are updating with the same changes. */
const maximumAttempts = 5;
/**
 * The maximum number of attributes that one request changes or removes. DynamoDB limits an expression to 4 KB and 300
 * operators.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const maximumAttributes = 100;

/** A change to a counter, with the position of the row change that caused it. */
interface Step {
  readonly sequence: string;
  readonly attribute: string;
  readonly by: number;
}

/** The changes to an item, in shard order. */
interface ItemSteps {
  readonly key: Item;
  readonly steps: readonly Step[];
}

/**
 * Stores counters in a DynamoDB table. Usually, a batch of changes updates each item with one conditional write, which
 * fails if the item has counted any of the changes. In this case, the counted changes are skipped. Every item therefore
 * counts each change exactly once, even if changes are redelivered in different batches or processed concurrently.
 */
export class DynamoDbCounterStore implements CounterStore {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Pick<Clock, 'now'>;
  /** The models that this process has added to the item with all models. */
  readonly #models = new Set<string>();

  constructor(client: DynamoDb, table: string, clock: Pick<Clock, 'now'>) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async add(
    generation: number,
    shard: string,
    changes: readonly CountedChange[],
  ): Promise<CounterFailure[]> {
    await this.#addModels(changes);
    const items = itemsOf(generation, shard, changes);
    const settled = await settleEach(items, (item) => this.#addTo(item, shard));
    return settled.flatMap((result, n) =>
      'error' in result ? [{ sequence: items[n]!.steps[0]!.sequence, error: result.error }] : [],
    );
  }

  /** Adds the changes' models to the item that lists all models. Each process adds a model only once. */
  async #addModels(changes: readonly CountedChange[]): Promise<void> {
    const models = new Set(changes.flatMap((each) => each.changes.map(({ model }) => model)));
    const others = [...models].filter((model) => !this.#models.has(model));
    if (others.length === 0) return;
    await this.#client.updateItem({
      TableName: this.#table,
      Key: modelsKey,
      UpdateExpression: 'ADD #models :others',
      ExpressionAttributeNames: { '#models': modelsAttribute },
      ExpressionAttributeValues: { ':others': { SS: others } },
    });
    for (const model of others) this.#models.add(model);
  }

  async #addTo({ key, steps }: ItemSteps, shard: string): Promise<void> {
    for (const run of inRuns(steps)) await this.#addRun({ key, steps: run }, shard);
  }

  async #addRun({ key, steps }: ItemSteps, shard: string): Promise<void> {
    let left: readonly Step[] = steps;
    // Usually, the item has not counted any of the changes yet, so the first attempt needs no read.
    let seen: string | undefined;
    for (let attempt = 0; attempt < maximumAttempts; attempt++) {
      const after = await this.#tryUpdate(key, shard, left, seen);
      if (after) return this.#removeExpired(key, after);
      const { Item: item } = await this.#client.getItem({
        TableName: this.#table,
        Key: key,
        ConsistentRead: true,
      });
      seen = item?.[shardAttribute(shard)]?.S;
      const counted = seen;
      left =
        counted === undefined ? steps : steps.filter((each) => !isCounted(each.sequence, counted));
      if (left.length === 0) return;
    }
    throw new MilepostError(
      'contention',
      `the counters ${key.pk!.S} ${key.sk!.S} were updated by other invocations ${maximumAttempts} times in a row`,
    );
  }

  /** Adds changes to an item. Returns the updated item, or undefined if the condition failed. */
  async #tryUpdate(
    key: Item,
    shard: string,
    steps: readonly Step[],
    seen: string | undefined,
  ): Promise<Item | undefined> {
    const sums = new Map<string, number>();
    for (const { attribute, by } of steps) sums.set(attribute, (sums.get(attribute) ?? 0) + by);
    // The position is stored even if the changes cancel each other out. Otherwise, an older
    // invocation that is still running could count some of the changes again.
    const additions = [...sums].filter(([, by]) => by !== 0);
    const add = additions.map((_, n) => `#${n} :${n}`).join(', ');
    const first = sortablePosition(steps[0]!.sequence);
    try {
      const { Attributes } = await this.#client.updateItem({
        TableName: this.#table,
        Key: key,
        UpdateExpression: `SET #shard = :counted${add === '' ? '' : ` ADD ${add}`}`,
        ConditionExpression:
          seen === undefined ? 'attribute_not_exists(#shard) OR #shard < :seen' : '#shard = :seen',
        ExpressionAttributeNames: {
          '#shard': shardAttribute(shard),
          ...Object.fromEntries(additions.map(([attribute], n) => [`#${n}`, attribute])),
        },
        ExpressionAttributeValues: {
          ':counted': { S: countedUpTo(steps.at(-1)!.sequence, this.#clock.now()) },
          ':seen': { S: seen ?? first },
          ...Object.fromEntries(additions.map(([, by], n) => [`:${n}`, { N: String(by) }])),
        },
        ReturnValues: 'ALL_NEW',
      });
      return Attributes ?? {};
    } catch (error) {
      if (isServiceError(error, 'ConditionalCheckFailedException')) return undefined;
      throw error;
    }
  }

  /**
   * Keeps the item small by removing positions that are no longer needed. Later updates remove the remaining positions.
   */
  async #removeExpired(key: Item, item: Item): Promise<void> {
    const expired = expiredPositions(item, this.#clock.now()).slice(0, maximumAttributes);
    if (expired.length === 0) return;
    await tryConditionalWrite(() =>
      this.#client.updateItem({
        TableName: this.#table,
        Key: key,
        UpdateExpression: `REMOVE ${expired.map((_, n) => `#shard${n}`).join(', ')}`,
        ConditionExpression: expired.map((_, n) => `#shard${n} = :counted${n}`).join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(
          expired.map(([name], n) => [`#shard${n}`, name]),
        ),
        ExpressionAttributeValues: Object.fromEntries(
          expired.map(([, counted], n) => [`:counted${n}`, { S: counted }]),
        ),
      }),
    );
  }
}

function itemsOf(
  generation: number,
  shard: string,
  changes: readonly CountedChange[],
): ItemSteps[] {
  const items = new Map<string, { readonly key: Item; readonly steps: Step[] }>();
  for (const { sequence, changes: counters } of changes)
    for (const counter of counters) {
      const key = counterKey(generation, shard, counter);
      const id = JSON.stringify([key.pk.S, key.sk.S]);
      const item = items.get(id) ?? { key, steps: new Array<Step>() };
      item.steps.push({ sequence, attribute: counterAttribute(counter), by: counter.by });
      items.set(id, item);
    }
  return [...items.values()];
}

/**
 * Splits steps into runs, each of which fits into one request. Steps with the same position stay together because an
 * item counts up to a position.
 */
function inRuns(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = [];
  let attributes = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const isFull = attributes.size >= maximumAttributes && !attributes.has(step.attribute);
    if (index === 0 || (isFull && step.sequence !== steps[index - 1]!.sequence)) {
      runs.push([]);
      attributes = new Set();
    }
    runs.at(-1)!.push(step);
    attributes.add(step.attribute);
  }
  return runs;
}
