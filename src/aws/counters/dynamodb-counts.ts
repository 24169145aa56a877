import type { QueryInput } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import type { Counts, CountsInGroup, GroupRequest } from '../../api/stores/counts.ts';
import type { CounterGroup } from '../../core/counters/counter.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { compareKeys } from '../dynamodb/compare-keys.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import {
  countAttribute,
  counterPartitions,
  modelsAttribute,
  modelsKey,
  totalIn,
  totalsKey,
} from './counter-keys.ts';
import { stateIn, stateKey } from './rebuild/dynamodb-counter-states.ts';

/** Reads the current generation's counters. */
export class DynamoDbCounts implements Counts {
  readonly #client: DynamoDb;
  readonly #table: string;
  /**
   * The current generation, as of the latest read. Only a rebuild changes the generation, and each request for counters
   * also refreshes this value.
   */
  #generation = 0;

  constructor(client: DynamoDb, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async countedModels(): Promise<readonly string[]> {
    const [item] = await batchGet(this.#client, this.#table, [{ ...modelsKey }]);
    return item?.[modelsAttribute]?.SS ?? [];
  }

  totals(models: readonly string[]): Promise<Map<string, ReadonlyMap<string, number>>> {
    return this.#inSharedItems(models, 'totals', [totalsKey]);
  }

  deadlines(
    models: readonly string[],
    weeks: readonly string[],
  ): Promise<Map<string, ReadonlyMap<string, number>>> {
    return this.#inSharedItems(models, 'deadlines', weeks);
  }

  /** Reads the items with these sort keys from all of a group's partitions. Returns the counters by model and name. */
  async #inSharedItems(
    models: readonly string[],
    group: CounterGroup,
    sortKeys: readonly string[],
  ): Promise<Map<string, ReadonlyMap<string, number>>> {
    for (;;) {
      const generation = this.#generation;
      const modelOf = new Map(
        models.flatMap((model) =>
          counterPartitions(generation, { model, group }).map((pk) => [pk, model] as const),
        ),
      );
      const keys = [...modelOf.keys()].flatMap((pk) =>
        sortKeys.map((sk) => ({ pk: { S: pk }, sk: { S: sk } })),
      );
      const items = await batchGet(this.#client, this.#table, [{ ...stateKey }, ...keys]);
      const state = items.find(({ pk }) => pk!.S === stateKey.pk.S);
      this.#generation = stateIn(state).current.number;
      if (this.#generation !== generation) continue;
      const byModel = Map.groupBy(items, ({ pk }) => modelOf.get(pk!.S!));
      return new Map(models.map((model) => [model, totalsIn(byModel.get(model) ?? [])]));
    }
  }

  async inGroup(
    model: string,
    group: CounterGroup,
    { limit, after, newestFirst = false }: GroupRequest,
  ): Promise<CountsInGroup> {
    const [state] = await batchGet(this.#client, this.#table, [{ ...stateKey }]);
    this.#generation = stateIn(state).current.number;
    const found = await pMap(counterPartitions(this.#generation, { model, group }), (pk) =>
      this.#readItems({
        TableName: this.#table,
        KeyConditionExpression: `pk = :pk${after === undefined ? '' : ` AND sk ${newestFirst ? '<' : '>'} :after`}`,
        ExpressionAttributeValues: {
          ':pk': { S: pk },
          ...(after !== undefined && { ':after': { S: after } }),
        },
        ScanIndexForward: !newestFirst,
        // One more item than the limit shows whether another page exists.
        Limit: limit + 1,
      }),
    );
    const sums = new Map<string, number>();
    for (const { sk, [countAttribute]: count } of found.flat())
      sums.set(sk!.S!, (sums.get(sk!.S!) ?? 0) + Number(count?.N ?? 0));
    const names = [...sums.keys()].toSorted(compareKeys);
    const ordered = newestFirst ? names.toReversed() : names;
    const page = ordered.slice(0, limit);
    return {
      counts: page.flatMap((name) => {
        const instances = sums.get(name)!;
        // A counter of 0 means that no instance has the counted property anymore.
        return instances > 0 ? [{ name, instances }] : [];
      }),
      ...(ordered.length > limit && { last: page.at(-1)! }),
    };
  }

  /**
   * Reads the first `Limit` items of a query. An item contains the positions of all shards that it has counted in the
   * last two days. With hundreds of shards, a hundred items exceed a page of 1 MB.
   */
  async #readItems(query: QueryInput & { readonly Limit: number }): Promise<Item[]> {
    const items: Item[] = [];
    for await (const { Items = [] } of queryPages(this.#client, query)) {
      items.push(...Items);
      if (items.length >= query.Limit) break;
    }
    return items;
  }
}

/** Adds up the counters in several shared items, by name. */
function totalsIn(items: readonly Item[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [attribute, { N: count }] of items.flatMap((item) => Object.entries(item))) {
    const name = totalIn(attribute);
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(count));
  }
  return sums;
}
