import {
  BatchGetItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import type { Commit } from '../core/commit.ts';
import type { InstanceKey } from '../core/event.ts';
import type { InstanceStore, Newest, Settled } from '../service/ports.ts';
import { type CommitItems, fromItem, type Item, textKeysOf, toItems } from './commit-item.ts';
import { unlessConditionFails } from './conditional.ts';
import { commitKey, parkedPrefix, partitionOf } from './instance-keys.ts';
import { settleEach } from './settle.ts';
import { statusUpdate } from './status-item.ts';

const pageSize = 25;
/** As many digits as a commit's sort key has. */
const maximumVersion = 9_999_999_999;

/** The instances table. */
export class DynamoDbInstanceStore implements InstanceStore {
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  newest(keys: readonly InstanceKey[]): Promise<Settled<Newest>[]> {
    return settleEach(keys, async (key) => {
      // Parked events sort behind the commits, so that the last of both tells of both.
      const last = await this.#last(key, `${parkedPrefix}~`);
      const hasParked = last?.sk?.S?.startsWith(parkedPrefix) ?? false;
      const item = hasParked ? await this.#last(key, commitKey(maximumVersion)) : last;
      return { commit: item && (await this.#read(item)), hasParked };
    });
  }

  commit(commits: readonly Commit[]): Promise<Settled<'committed' | 'conflict'>[]> {
    return settleEach(commits, (commit) => this.#write(toItems(commit)));
  }

  writeStatus(commits: readonly Commit[]): Promise<Settled<void>[]> {
    return settleEach(commits, async (commit) => {
      await unlessConditionFails(() =>
        this.#client.send(new UpdateItemCommand(statusUpdate(this.#tableName, commit))),
      );
    });
  }

  async *before(key: InstanceKey, version: number): AsyncGenerator<Commit> {
    for (let below = version; below > 1; ) {
      const page = await this.#commits(key, { below, descending: true, limit: pageSize });
      for (const item of page.items) {
        const commit = await this.#read(item);
        below = commit.version;
        yield commit;
      }
      if (page.items.length === 0) return;
    }
  }

  async from(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ commits: Commit[]; more: boolean }> {
    const range = { from: version, descending: false, limit: limit + 1 };
    const { items, cut } = await this.#commits(key, range);
    // Only an item that is not shown proves that there is more: an answer may also be cut short
    // right behind the last one.
    const more = cut || items.length > limit;
    const shown = more ? items.slice(0, Math.min(limit, items.length - 1)) : items;
    return { commits: await pMap(shown, (item) => this.#read(item)), more };
  }

  async #write({ commit, texts }: CommitItems): Promise<'committed' | 'conflict'> {
    for (const item of texts)
      await this.#client.send(new PutItemCommand({ TableName: this.#tableName, Item: item }));
    const written = await unlessConditionFails(() =>
      this.#client.send(
        new PutItemCommand({
          TableName: this.#tableName,
          Item: commit,
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
    return written ? 'committed' : 'conflict';
  }

  /** The last of an instance's commits and parked events up to a sort key. */
  async #last(key: InstanceKey, upTo: string): Promise<Item | undefined> {
    const { Items } = await this.#client.send(
      new QueryCommand({
        TableName: this.#tableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': { S: partitionOf(key) },
          ':first': { S: commitKey(1) },
          ':last': { S: upTo },
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: 1,
      }),
    );
    return Items?.[0];
  }

  async #commits(
    key: InstanceKey,
    range: { below?: number; from?: number; descending: boolean; limit: number },
  ): Promise<{ items: Item[]; cut: boolean }> {
    const { Items, LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#tableName,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: {
          ':pk': { S: partitionOf(key) },
          ':first': { S: commitKey(range.from ?? 1) },
          ':last': { S: commitKey((range.below ?? 10_000_000_000) - 1) },
        },
        ConsistentRead: true,
        ScanIndexForward: !range.descending,
        Limit: range.limit,
      }),
    );
    return { items: Items ?? [], cut: LastEvaluatedKey !== undefined };
  }

  async #read(item: Item): Promise<Commit> {
    const keys = [...new Set(textKeysOf(item))];
    if (keys.length === 0) return fromItem(item);
    const texts = await this.#readTexts(keys.map((sk) => ({ pk: item.pk!, sk: { S: sk } })));
    return fromItem(item, texts);
  }

  async #readTexts(keys: Item[]): Promise<Map<string, Item>> {
    const found = new Map<string, Item>();
    // An answer has at most 16 MB; what did not fit into it is asked for again.
    for (let open = keys; open.length > 0; ) {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetItemCommand({
          RequestItems: { [this.#tableName]: { Keys: open.slice(0, 100), ConsistentRead: true } },
        }),
      );
      for (const item of Responses?.[this.#tableName] ?? []) found.set(item.sk!.S!, item);
      open = [...(UnprocessedKeys?.[this.#tableName]?.Keys ?? []), ...open.slice(100)];
    }
    return found;
  }
}
