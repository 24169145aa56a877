import {
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import type { Commit } from '../core/commit.ts';
import type { InstanceKey } from '../core/event.ts';
import type { InstanceStore, Newest, Settled } from '../service/ports.ts';
import { batchGet } from './batch-get.ts';
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
    const keys = [...new Set(textKeysOf(item))].map((sk) => ({ pk: item.pk!, sk: { S: sk } }));
    const texts = await batchGet(this.#client, this.#tableName, keys);
    return fromItem(item, new Map(texts.map((text) => [text.sk!.S!, text])));
  }
}
