import pMap from 'p-map';
import { modelIdPattern } from '../core/event.ts';
import type { StatusRow } from '../core/status-row.ts';
import type {
  InstanceLists,
  InstanceQuery,
  ModelRegistry,
  Page,
  PageRequest,
} from '../service/ports.ts';
import { batchGet } from './batch-get.ts';
import type { DynamoDb } from './client/dynamodb.ts';
import { type Item, progressSince } from './commit-item.ts';
import {
  commitKey,
  commitPrefix,
  instanceOf,
  partitionOf,
  shardsOf,
  statusKey,
} from './instance-keys.ts';
import { mergeNewest } from './merge-newest.ts';
import { changeKeyOf, statusIndexes, toStatusRow } from './status-item.ts';

/** Queries under way at once for one list. */
const concurrency = 16;
/** Up to so many matches of a prefix are sorted here; more are found along the latest changes. */
const fewMatches = 200;

/** A status row, and the place among the latest changes where the index had it. */
interface Found {
  readonly place: string;
  readonly row: StatusRow;
}

/** An index, and those of its partitions that hold what is looked for. */
interface Walk {
  readonly index: (typeof statusIndexes)[keyof typeof statusIndexes];
  readonly partitions: readonly string[];
}

/**
 * Lists of instances from the indexes of the instances table. Their pages follow each other by the
 * latest change of the status rows; within a page the instances do by their own.
 */
export class DynamoDbInstanceLists implements InstanceLists {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #models: ModelRegistry;

  constructor(client: DynamoDb, table: string, models: ModelRegistry) {
    this.#client = client;
    this.#table = table;
    this.#models = models;
  }

  async list(query: InstanceQuery, { limit, cursor }: PageRequest): Promise<Page<StatusRow>> {
    // Then there is no such instance, and it may be too long for a key.
    if (query.model !== undefined && !modelIdPattern.test(query.model)) return { items: [] };
    const few = query.prefix ? await this.#withPrefix(query) : undefined;
    const found = few
      ? few.filter(({ place }) => cursor === undefined || place < cursor)
      : await this.#alongChanges(query, limit, cursor);
    const page = found.slice(0, limit);
    const rows = await this.#upToDate(page.map(({ row }) => row));
    // The index has them by their rows' last change: sorted once more by that of the instances.
    const items = rows.toSorted((a, b) => newestFirst(placeOf(a), placeOf(b)));
    return found.length > limit ? { items, cursor: page.at(-1)!.place } : { items };
  }

  /** All instances with the prefix, newest change first; undefined when there are too many. */
  async #withPrefix(query: InstanceQuery): Promise<Found[] | undefined> {
    const models = query.model ? [query.model] : (await this.#models.list()).map(({ id }) => id);
    const walk = { index: statusIndexes.byTransaction, partitions: models.flatMap(shardsOf) };
    const condition = { comparison: 'begins_with(#sort, :sort)', sort: query.prefix! };
    const { items, more } = await this.#query(walk, condition, fewMatches + 1);
    if (more || items.length > fewMatches) return undefined;
    const rows = await this.#rows(items.map((item) => item.pk!.S!));
    return [...rows.values()]
      .filter((row) => matches(row, query))
      .map((row) => ({ place: placeOf(row), row }))
      .toSorted((a, b) => newestFirst(a.place, b.place));
  }

  /** Walks along the latest changes until there is one more than asked for, or no more. */
  async #alongChanges(query: InstanceQuery, limit: number, cursor?: string): Promise<Found[]> {
    const walk = await this.#walk(query);
    // With a prefix most of what comes by is not wanted, so larger steps are taken.
    const stride = query.prefix ? 10 * limit : limit + 1;
    const found = new Map<string, Found>();
    for (let place = cursor ?? '~'; found.size <= limit; ) {
      const condition = { comparison: '#sort < :sort', sort: place };
      const { items, more } = await this.#query(walk, condition, stride);
      const step = items.slice(0, stride);
      const wanted = step.filter(({ pk }) => named(pk!.S!, query));
      const rows = await this.#rows(wanted.map(({ pk }) => pk!.S!));
      for (const { pk, changeKey } of wanted) {
        const row = rows.get(pk!.S!);
        // One that moves while the index is read may be there twice; its newest place counts.
        if (row && matches(row, query) && !found.has(pk!.S!))
          found.set(pk!.S!, { place: changeKey!.S!, row });
      }
      if (!more && step.length === items.length) break;
      place = step.at(-1)!.changeKey!.S!;
    }
    return [...found.values()];
  }

  /** The narrowest index for a query: by model and status where the statuses are known. */
  async #walk({ model, status }: InstanceQuery): Promise<Walk> {
    const everything = { index: statusIndexes.byChange, partitions: shardsOf('all') };
    if (model === undefined && status === undefined) return everything;
    // Whatever the registry says of the model now: an instance keeps the status it was given.
    if (model !== undefined && status !== undefined)
      return { index: statusIndexes.byStatus, partitions: shardsOf(`${model}#${status}`) };
    const entries = (await this.#models.list()).filter(
      ({ id }) => model === undefined || id === model,
    );
    // A model that was taken out of the registry still has its instances.
    if (model !== undefined && entries.length === 0) return everything;
    const partitions = entries.flatMap(({ id, statuses }) =>
      statuses
        .filter((each) => status === undefined || each === status)
        .flatMap((each) => shardsOf(`${id}#${each}`)),
    );
    return { index: statusIndexes.byStatus, partitions };
  }

  async #query(
    { index, partitions }: Walk,
    condition: { comparison: string; sort: string },
    limit: number,
  ): Promise<{ items: Item[]; more: boolean }> {
    const pages = await pMap(
      partitions,
      async (partition) => {
        const { Items, LastEvaluatedKey } = await this.#client.query({
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
        });
        return { items: Items ?? [], cut: LastEvaluatedKey !== undefined };
      },
      { concurrency },
    );
    return mergeNewest(pages, (item) => item[index.sort]!.S!);
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

function matches(row: StatusRow, { model, status }: InstanceQuery): boolean {
  return (
    (model === undefined || row.model === model) && (status === undefined || row.status === status)
  );
}
