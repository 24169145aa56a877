import pMap from 'p-map';
import type { CustomerLinks } from '../../api/stores/customer-links.ts';
import type { Clock } from '../../common/clock.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { CustomerLink } from '../../core/status/customer-link.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { queryPages } from '../dynamodb/read-pages.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { itemKey, partitionOf } from './instance-keys.ts';

/** The maximum number of concurrent deletions. */
const concurrency = 32;

/**
 * Stores customer links in a separate table, in one item collection per instance, sorted by link id. DynamoDB can take
 * days to delete an item after `expiresAt`, so lists omit expired links.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html
 */
export class DynamoDbCustomerLinks implements CustomerLinks {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDb, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async add(instance: InstanceKey, { id, createdAt, expiresAt }: CustomerLink): Promise<void> {
    await this.#client.putItem({
      TableName: this.#table,
      Item: {
        ...itemKey(instance, id),
        createdAt: { S: createdAt },
        expiresAt: { N: String(Date.parse(expiresAt) / 1000) },
      },
    });
  }

  async has(instance: InstanceKey, id: string): Promise<boolean> {
    const { Item } = await this.#client.getItem({
      TableName: this.#table,
      Key: itemKey(instance, id),
      ConsistentRead: true,
    });
    return Item !== undefined;
  }

  async list(
    instance: InstanceKey,
    { limit, cursor }: PageRequest,
  ): Promise<ListPage<CustomerLink>> {
    const items: CustomerLink[] = [];
    for await (const link of this.#stored(instance, { before: cursor, stride: limit + 1 })) {
      if (this.#hasExpired(link)) continue;
      if (items.length === limit) return { items, cursor: items.at(-1)!.id };
      items.push(link);
    }
    return { items };
  }

  async revoke(instance: InstanceKey, id: string): Promise<'revoked' | 'missing'> {
    const isDeleted = await tryConditionalWrite(() =>
      this.#client.deleteItem({
        TableName: this.#table,
        Key: itemKey(instance, id),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
    return isDeleted ? 'revoked' : 'missing';
  }

  async revokeAll(instance: InstanceKey): Promise<number> {
    const links = await Array.fromAsync(this.#stored(instance));
    const answers = await pMap(
      links,
      async (link) => {
        const answer = await this.revoke(instance, link.id);
        return answer === 'revoked' && !this.#hasExpired(link);
      },
      { concurrency },
    );
    return answers.filter(Boolean).length;
  }

  /** Reads an instance's links, newest first, including expired ones. */
  async *#stored(
    instance: InstanceKey,
    { before = '~', stride }: { readonly before?: string; readonly stride?: number } = {},
  ): AsyncGenerator<CustomerLink> {
    const pages = queryPages(this.#client, {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND sk < :before',
      ExpressionAttributeValues: {
        ':pk': { S: partitionOf(instance) },
        ':before': { S: before },
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: stride,
    });
    for await (const { Items = [] } of pages) yield* Items.map(linkIn);
  }

  #hasExpired({ expiresAt }: CustomerLink): boolean {
    return Date.parse(expiresAt) <= this.#clock.now();
  }
}

const linkIn = ({ sk, createdAt, expiresAt }: Item): CustomerLink => ({
  id: sk!.S!,
  createdAt: createdAt!.S!,
  expiresAt: toIso(Number(expiresAt!.N) * 1000),
});
