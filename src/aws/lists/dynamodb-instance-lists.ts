import pMap from 'p-map';
import type {
  InstanceLists,
  InstanceQuery,
  Tally,
  TallyByModel,
} from '../../api/stores/instance-lists.ts';
import { type InstanceKey, modelIdPattern } from '../../core/event/event.ts';
import { parkedStatus, type StatusRow } from '../../core/status/status-row.ts';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import type { Page, PageRequest } from '../../stores/paging.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { type Item, progressSince } from '../instances/commit-item.ts';
import {
  commitKey,
  commitPrefix,
  instanceOf,
  keyIndexPartitions,
  partitionOf,
  shardFor,
  shardsOf,
  statusKey,
} from '../instances/instance-keys.ts';
import { changeKeyOf, indexEnd, statusIndexes, toStatusRow } from '../instances/status-item.ts';
import { instanceInKeyIndex } from './key-index.ts';
import { mergeNewest } from './merge-newest.ts';

/** Queries under way at once for one list. */
const concurrency = 16;
/** Up to so many matches of a prefix are sorted here; more are found along the latest changes. */
const fewMatches = 200;
/** Up to so many of each partition of an index are counted. */
const mostCounted = 1_250;

/** A status row, and the place among the latest changes where the index had it. */
interface Found {
  readonly place: string;
  readonly row: StatusRow;
}

/** An index, and those of its partitions that hold what is looked for. */
interface Walk {
  readonly index: (typeof statusIndexes)[keyof typeof statusIndexes];
  readonly partitions: readonly string[];
  /** What the first sort key that is wanted comes before; by default all do. */
  readonly from?: string;
}

/** Every instance, by its latest change. */
const everything: Walk = { index: statusIndexes.byChange, partitions: shardsOf('all') };

/**
 * Lists of instances from the indexes of the instances table. Their pages follow each other by the
 * latest change of the status rows; within a page the instances do by their own.
 */
export class DynamoDbInstanceLists implements InstanceLists {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #models: Pick<ModelRegistry, 'list'>;

  constructor(client: DynamoDb, table: string, models: Pick<ModelRegistry, 'list'>) {
    this.#client = client;
    this.#table = table;
    this.#models = models;
  }

  async list(query: InstanceQuery, { limit, cursor }: PageRequest): Promise<Page<StatusRow>> {
    // Then there is no such instance, and it may be too long for a key.
    if (query.model !== undefined && !modelIdPattern.test(query.model)) return { items: [] };
    const few = query.key
      ? await this.#withKey(query.key, query)
      : query.prefix && !query.parked
        ? await this.#withPrefix(query)
        : undefined;
    const found = few
      ? few.filter(({ place }) => cursor === undefined || place < cursor)
      : ((await this.#amongLatest(query, limit, cursor)) ??
        (await this.#alongChanges(query, limit, cursor)));
    const page = found.slice(0, limit);
    const rows = await this.#upToDate(page.map(({ row }) => row));
    // The index has them by their rows' last change: sorted once more by that of the instances.
    const items = rows.toSorted((a, b) => newestFirst(placeOf(a), placeOf(b)));
    return found.length > limit ? { items, cursor: page.at(-1)!.place } : { items };
  }

  async inFixedOrder(model: string, request: PageRequest): Promise<Page<StatusRow>> {
    const page = await this.keysInFixedOrder(model, request);
    const rows = await this.#rows(page.items.map(partitionOf));
    const items = await this.#upToDate(
      page.items.flatMap((key) => rows.get(partitionOf(key)) ?? []),
    );
    return { ...page, items };
  }

  /** By transaction, one partition of the index after the other. */
  async keysInFixedOrder(
    model: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<InstanceKey>> {
    if (!modelIdPattern.test(model)) return { items: [] };
    const partitions = shardsOf(model);
    let [shard, from] = placeInOrder(cursor);
    const names: string[] = [];
    for (; names.length <= limit && shard < partitions.length; shard += 1, from = '') {
      const more = limit + 1 - names.length;
      names.push(...(await this.#behind(partitions[shard]!, from, more)));
      if (names.length > limit) break;
    }
    const items = names.slice(0, limit).map(instanceOf);
    return names.length > limit ? { items, cursor: this.behind(items.at(-1)!) } : { items };
  }

  behind(instance: InstanceKey): string {
    const { model, transaction } = instance;
    return `${shardsOf(model).indexOf(shardFor(model, instance))}#${transaction}`;
  }

  /** The names of the first instances of a partition that are behind a transaction. */
  async #behind(partition: string, transaction: string, limit: number): Promise<string[]> {
    const { name, ...keys } = statusIndexes.byTransaction;
    const names: string[] = [];
    for (let from: Item | undefined, more = true; more && names.length < limit; ) {
      const { Items, LastEvaluatedKey } = await this.#client.query({
        TableName: this.#table,
        IndexName: name,
        KeyConditionExpression: `#partition = :partition${transaction && ' AND #sort > :sort'}`,
        ExpressionAttributeNames: {
          '#partition': keys.partition,
          ...(transaction && { '#sort': keys.sort }),
        },
        ExpressionAttributeValues: {
          ':partition': { S: partition },
          ...(transaction && { ':sort': { S: transaction } }),
        },
        Limit: limit - names.length,
        ExclusiveStartKey: from,
      });
      names.push(...(Items ?? []).map(({ pk }) => pk!.S!));
      from = LastEvaluatedKey;
      more = from !== undefined;
    }
    return names;
  }

  async count(model: string, status: string): Promise<Tally> {
    const walk = { index: statusIndexes.byStatus, partitions: shardsOf(`${model}#${status}`) };
    const pages = await this.#pages(walk, upTo('~'), mostCounted, 'COUNT');
    return {
      count: pages.reduce((sum, { count }) => sum + count, 0),
      more: pages.some(({ cut }) => cut),
    };
  }

  async countByModel(query: Pick<InstanceQuery, 'lateBy' | 'parked'>): Promise<TallyByModel> {
    const walk = await this.#walk(query);
    const pages = await this.#pages(walk, upTo(walk.from ?? '~'), mostCounted);
    const counts = new Map<string, number>();
    for (const { pk } of pages.flatMap(({ items }) => items)) {
      const { model } = instanceOf(pk!.S!);
      counts.set(model, (counts.get(model) ?? 0) + 1);
    }
    return { counts, more: pages.some(({ cut }) => cut) };
  }

  /** All instances with the prefix, newest change first; undefined when there are too many. */
  async #withPrefix(query: InstanceQuery): Promise<Found[] | undefined> {
    const models = query.model ? [query.model] : (await this.#models.list()).map(({ id }) => id);
    const walk = { index: statusIndexes.byTransaction, partitions: models.flatMap(shardsOf) };
    const condition = { comparison: 'begins_with(#sort, :sort)', sort: query.prefix! };
    const { items, more } = await this.#query(walk, condition, fewMatches + 1);
    if (more || items.length > fewMatches) return undefined;
    return this.#matching(
      items.map((item) => item.pk!.S!),
      query,
    );
  }

  /** All instances that business calls by a key, newest change first. */
  async #withKey(key: string, query: InstanceQuery): Promise<Found[]> {
    const partitions = keyIndexPartitions(key);
    const names = await pMap(partitions, (each) => this.#inKeyIndex(each), { concurrency });
    return this.#matching(
      names.flat().filter((name) => named(name, query)),
      query,
    );
  }

  /** The names of the instances in a partition of the key index. */
  async #inKeyIndex(partition: string): Promise<string[]> {
    const names: string[] = [];
    for (let from: Item | undefined, more = true; more; more = from !== undefined) {
      const { Items, LastEvaluatedKey } = await this.#client.query({
        TableName: this.#table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: partition } },
        ExclusiveStartKey: from,
      });
      names.push(...(Items ?? []).map(instanceInKeyIndex));
      from = LastEvaluatedKey;
    }
    return names;
  }

  /** Those of some instances that are looked for, newest change first. */
  async #matching(names: readonly string[], query: InstanceQuery): Promise<Found[]> {
    const rows = await this.#rows(names);
    return [...rows.values()]
      .filter((row) => matches(row, query))
      .map((row) => ({ place: placeOf(row), row }))
      .toSorted((a, b) => newestFirst(a.place, b.place));
  }

  /**
   * The instances of a model among the latest changes of all, if enough of them are there: that takes the
   * partitions of one key, and not those of each of the model's statuses. Undefined: look by the statuses.
   */
  async #amongLatest(
    query: InstanceQuery,
    limit: number,
    cursor?: string,
  ): Promise<Found[] | undefined> {
    const { model, status, lateBy, parked, prefix } = query;
    const isNarrower = status ?? lateBy ?? parked ?? prefix;
    if (model === undefined || isNarrower !== undefined) return undefined;
    const { items } = await this.#query(everything, upTo(cursor ?? '~'), limit + 1);
    const wanted = items.filter(({ pk }) => named(pk!.S!, query)).slice(0, limit + 1);
    if (wanted.length <= limit) return undefined;
    const found = new Map<string, Found>();
    await this.#addMatching(found, wanted, query, everything.index.sort);
    return found.size > limit ? [...found.values()] : undefined;
  }

  /** Walks along the latest changes until there is one more than asked for, or no more. */
  async #alongChanges(query: InstanceQuery, limit: number, cursor?: string): Promise<Found[]> {
    const walk = await this.#walk(query);
    // With a prefix most of what comes by is not wanted, so larger steps are taken.
    const stride = query.prefix ? 10 * limit : limit + 1;
    const found = new Map<string, Found>();
    const placeIn = (item: Item) => item[walk.index.sort]!.S!;
    for (let place = cursor ?? walk.from ?? '~'; found.size <= limit; ) {
      const { items, more } = await this.#query(walk, upTo(place), stride);
      const step = items.slice(0, stride);
      const wanted = step.filter(({ pk }) => named(pk!.S!, query));
      await this.#addMatching(found, wanted, query, walk.index.sort);
      if (!more && step.length === items.length) break;
      place = placeIn(step.at(-1)!);
    }
    return [...found.values()];
  }

  /** Adds those of some items of an index, newest first, that are looked for, with their rows. */
  async #addMatching(
    found: Map<string, Found>,
    items: readonly Item[],
    query: InstanceQuery,
    sort: string,
  ): Promise<void> {
    const rows = await this.#rows(items.map(({ pk }) => pk!.S!));
    for (const item of items) {
      const name = item.pk!.S!;
      const row = rows.get(name);
      // One that moves while the index is read may be there twice; its newest place counts.
      if (row && matches(row, query) && !found.has(name))
        found.set(name, { place: item[sort]!.S!, row });
    }
  }

  /** The narrowest index for a query: by model and status where the statuses are known. */
  async #walk({ model, status, lateBy, parked }: InstanceQuery): Promise<Walk> {
    // Few are, and these lists go by when it began.
    if (parked) return { index: statusIndexes.byParked, partitions: shardsOf('parked') };
    if (lateBy !== undefined)
      return {
        index: statusIndexes.byLate,
        partitions: shardsOf('late'),
        from: indexEnd(lateBy),
      };
    if (model === undefined && status === undefined) return everything;
    // Whatever the registry says of the model now: an instance keeps the status it was given.
    if (model !== undefined && status !== undefined)
      return { index: statusIndexes.byStatus, partitions: shardsOf(`${model}#${status}`) };
    const entries = (await this.#models.list()).filter(
      ({ id }) => model === undefined || id === model,
    );
    // A model that was taken out of the registry still has its instances.
    if (model !== undefined && entries.length === 0) return everything;
    const partitionsOf = (id: string, statuses: readonly string[]) =>
      statuses.flatMap((each) => shardsOf(`${id}#${each}`));
    const declaring = entries.filter(
      ({ statuses }) => status === undefined || statuses.includes(status),
    );
    // An instance may have a status that its model declared once, or that Milepost gave it.
    const partitions = (declaring.length > 0 ? declaring : entries).flatMap(({ id, statuses }) =>
      partitionsOf(id, status === undefined ? [...statuses, parkedStatus] : [status]),
    );
    return { index: statusIndexes.byStatus, partitions };
  }

  async #query(
    walk: Walk,
    condition: Condition,
    limit: number,
  ): Promise<{ items: Item[]; more: boolean }> {
    const pages = await this.#pages(walk, condition, limit);
    return mergeNewest(pages, (item) => item[walk.index.sort]!.S!);
  }

  /** The first items of each partition. */
  async #pages(
    { index, partitions }: Walk,
    condition: Condition,
    limit: number,
    select: 'ALL_PROJECTED_ATTRIBUTES' | 'COUNT' = 'ALL_PROJECTED_ATTRIBUTES',
  ): Promise<{ items: Item[]; count: number; cut: boolean }[]> {
    return pMap(
      partitions,
      async (partition) => {
        const { Items, Count, LastEvaluatedKey } = await this.#client.query({
          TableName: this.#table,
          IndexName: index.name,
          KeyConditionExpression: `#partition = :partition AND ${condition.comparison}`,
          ExpressionAttributeNames: { '#partition': index.partition, '#sort': index.sort },
          ExpressionAttributeValues: {
            ':partition': { S: partition },
            ':sort': { S: condition.sort },
          },
          ScanIndexForward: false,
          Limit: limit,
          Select: select,
        });
        return { items: Items ?? [], count: Count ?? 0, cut: LastEvaluatedKey !== undefined };
      },
      { concurrency },
    );
  }

  /** Rows with what their instances did since, which changed nothing that lists go by. */
  async #upToDate(rows: readonly StatusRow[]): Promise<StatusRow[]> {
    const next = rows.map((row) => ({ pk: partitionOf(row), sk: commitKey(row.version + 1) }));
    const keys = next.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }));
    const found = await batchGet(this.#client, this.#table, keys, ['pk']);
    const ahead = new Set(found.map(({ pk }) => pk!.S));
    return pMap(rows, (row) => (ahead.has(partitionOf(row)) ? this.#withNewest(row) : row), {
      concurrency,
    });
  }

  async #withNewest(row: StatusRow): Promise<StatusRow> {
    const { Items } = await this.#client.query({
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :commits)',
      ExpressionAttributeValues: {
        ':pk': { S: partitionOf(row) },
        ':commits': { S: commitPrefix },
      },
      ScanIndexForward: false,
      Limit: 1,
    });
    return Items?.[0] ? { ...row, ...progressSince(Items[0]) } : row;
  }

  /** The status rows with these partition keys, as they are now. */
  async #rows(keys: readonly string[]): Promise<Map<string, StatusRow>> {
    const wanted = [...new Set(keys)].map((pk) => ({ pk: { S: pk }, sk: { S: statusKey } }));
    const found = await batchGet(this.#client, this.#table, wanted);
    return new Map(found.map((item) => [item.pk!.S!, toStatusRow(item)]));
  }
}

/** Which partition, and behind which transaction; behind all of them for what is no place. */
function placeInOrder(cursor = '0#'): [shard: number, transaction: string] {
  const [, shard, transaction = ''] = /^(\d+)#(.*)$/su.exec(cursor) ?? [];
  // What DynamoDB takes as a sort key.
  if (shard === undefined || Buffer.byteLength(transaction) > 1_024) return [Infinity, ''];
  return [Number(shard), transaction];
}

const placeOf = changeKeyOf;
const newestFirst = (a: string, b: string) => (a < b ? 1 : -1);

/** Whether the name alone lets an instance into a list. */
function named(partition: string, { model, prefix }: InstanceQuery): boolean {
  const instance = instanceOf(partition);
  return (
    (model === undefined || instance.model === model) &&
    instance.transaction.startsWith(prefix ?? '')
  );
}

function matches(row: StatusRow, query: InstanceQuery): boolean {
  const { model, status, lateBy, key, parked } = query;
  return (
    // The index may still have one that only looked started: it was listed while its first event was parked.
    (row.startedAt !== null || parked === true) &&
    (model === undefined || row.model === model) &&
    (status === undefined || row.status === status) &&
    (lateBy === undefined || (row.lateAt !== null && row.lateAt <= lateBy)) &&
    (key === undefined || row.keys.includes(key)) &&
    (!parked || row.parked > 0)
  );
}

/** What a sort key has to be like. */
interface Condition {
  readonly comparison: string;
  readonly sort: string;
}

const upTo = (sort: string): Condition => ({ comparison: '#sort < :sort', sort });
