import pMap from 'p-map';
import { systemClock } from '../../common/clock.ts';
import { MilepostError } from '../../core/errors.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';
import type {
  HistoryRewriter,
  RewrittenPage,
} from '../../model-runtime/sealing/history-rewriter.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { namePlaceholders, valuePlaceholders } from '../dynamodb/placeholders.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { bodyKeysOf, contentAttributes, contentItems, StoredCommit } from './commit-item.ts';
import { commitKey, itemKey, sortKeysBetween } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';
import { readCommit } from './read-commits.ts';
import { bodiesOfCommit, versionOfBody } from './stored-body.ts';

/** The number of commits per request. */
const pageSize = 25;
/** The maximum number of commits that are rewritten concurrently. Uncompressed, each can take several megabytes. */
const concurrency = 4;
/** How many times to try to rewrite a page that other requests are rewriting. */
const maximumLosses = 5;

export class DynamoDbHistoryRewriter implements HistoryRewriter {
  readonly #instances: InstancesTable;

  constructor(client: DynamoDb, table: string) {
    this.#instances = { client, table, clock: systemClock };
  }

  async rewrite(
    instance: InstanceKey,
    from: number,
    change: (stored: Commit) => Commit | undefined,
  ): Promise<RewrittenPage> {
    for (let lost = 0; lost < maximumLosses; lost++) {
      // List the bodies before reading the commits so that `#sweep` never deletes a body that another rewriter adds
      // later.
      const bodies = await this.#bodyKeys(instance, from);
      const { items, isLast } = await this.#page(instance, from);
      const written = await pMap(items, (item) => this.#rewriteOne(item, change), {
        concurrency,
      });
      if (written.includes('lost')) continue;
      await this.#sweep(instance, bodies, from, items.length);
      const rewritten = written.filter((each) => each === 'rewritten').length;
      return isLast ? { rewritten } : { rewritten, next: from + items.length };
    }
    throw new MilepostError(
      'contention',
      `the history of ${instance.model}/${instance.transaction} was rewritten by other requests ${maximumLosses} times in a row; try again`,
    );
  }

  async #page(instance: InstanceKey, from: number): Promise<{ items: Item[]; isLast: boolean }> {
    const { Items = [], LastEvaluatedKey } = await this.#instances.client.query({
      TableName: this.#instances.table,
      ...sortKeysBetween(instance, commitKey(from), commitKey(from + pageSize - 1)),
      ConsistentRead: true,
    });
    return { items: Items, isLast: Items.length < pageSize && LastEvaluatedKey === undefined };
  }

  async #rewriteOne(
    item: Item,
    change: (stored: Commit) => Commit | undefined,
  ): Promise<'rewritten' | 'unchanged' | 'lost'> {
    const changed = change(await readCommit(this.#instances, item));
    if (!changed) return 'unchanged';
    const next = contentItems(changed);
    // Write the bodies first because a commit must never refer to a missing body.
    for (const body of next.bodies)
      await this.#instances.client.putItem({ TableName: this.#instances.table, Item: body });
    const isWritten = await tryConditionalWrite(() =>
      this.#instances.client.updateItem({
        TableName: this.#instances.table,
        ...update(item, next.content),
      }),
    );
    return isWritten ? 'rewritten' : 'lost';
  }

  /** Reads the sort keys of the bodies that belong to a page of commits. */
  async #bodyKeys(instance: InstanceKey, from: number): Promise<string[]> {
    const pages = queryPages(this.#instances.client, {
      TableName: this.#instances.table,
      ...sortKeysBetween(instance, bodiesOfCommit(from), bodiesOfCommit(from + pageSize)),
      ProjectionExpression: 'sk',
      ConsistentRead: true,
    });
    const keys: string[] = [];
    for await (const { Items = [] } of pages) keys.push(...Items.map(({ sk }) => sk!.S!));
    return keys;
  }

  /**
   * Deletes the bodies that no commit in a page refers to: replaced bodies, and bodies from writers whose commit ended in
   * a conflict. The commits in the page already exist, so no later commit with these versions can refer to the bodies.
   */
  async #sweep(
    instance: InstanceKey,
    bodies: readonly string[],
    from: number,
    count: number,
  ): Promise<void> {
    const ours = bodies.filter((key) => versionOfBody(key) < from + count);
    if (ours.length === 0) return;
    // The rewritten commits can be larger than before, so they may no longer fit into one response.
    const pages = queryPages(this.#instances.client, {
      TableName: this.#instances.table,
      ...sortKeysBetween(instance, commitKey(from), commitKey(from + count - 1)),
      ConsistentRead: true,
    });
    const named = new Set<string>();
    for await (const { Items = [] } of pages)
      for (const item of Items)
        for (const key of bodyKeysOf(new StoredCommit(item))) named.add(key);
    const unnamed = ours.filter((key) => !named.has(key));
    const { client, table: TableName } = this.#instances;
    await pMap(unnamed, (key) => client.deleteItem({ TableName, Key: itemKey(instance, key) }), {
      concurrency,
    });
  }
}

/**
 * Builds the update that replaces the content of a commit's item, unless the item has been rewritten since it was read.
 */
function update(item: Item, content: Item) {
  const set = contentAttributes.filter((name) => content[name]);
  const removed = contentAttributes.filter((name) => item[name] && !content[name]);
  const { rewrites } = item;
  const sets = [...set, 'rewrites'].map((name) => `#${name} = :${name}`).join(', ');
  const removes = removed.map((name) => `#${name}`).join(', ');
  return {
    Key: { pk: item.pk!, sk: item.sk! },
    UpdateExpression: removes === '' ? `SET ${sets}` : `SET ${sets} REMOVE ${removes}`,
    ConditionExpression: rewrites
      ? '#rewrites = :before'
      : 'attribute_exists(pk) AND attribute_not_exists(#rewrites)',
    ExpressionAttributeNames: namePlaceholders([...set, ...removed, 'rewrites']),
    ExpressionAttributeValues: {
      ...valuePlaceholders(content),
      ':rewrites': { N: String(Number(rewrites?.N ?? 0) + 1) },
      ...(rewrites && { ':before': rewrites }),
    },
  };
}
