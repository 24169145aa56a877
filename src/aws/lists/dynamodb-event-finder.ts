import type { EventFinder, FoundEvent, FoundEvents } from '../../api/stores/event-finder.ts';
import type { Clock } from '../../common/clock.ts';
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { eventsIn } from '../instances/commit-item.ts';
import { commitPrefix, instanceOf } from '../instances/instance-keys.ts';
import { cursorAfterItem, keyOfCursor } from './table-position.ts';

/** Finds events by scanning the instances table. Each request to DynamoDB reads up to 1 MB. */
export class DynamoDbEventFinder implements EventFinder {
  readonly #client: DynamoDb;
  readonly #table: string;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(client: DynamoDb, table: string, clock: Pick<Clock, 'now'>) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async find(
    id: string,
    { cursor, until }: { readonly cursor?: string; readonly until: number },
  ): Promise<FoundEvents> {
    let from = cursor === undefined ? undefined : keyOfCursor(cursor);
    // The cursor is malformed, so no response contained it.
    if (cursor !== undefined && !from) return { events: [], itemsRead: 0 };
    const events: FoundEvent[] = [];
    let itemsRead = 0;
    do {
      const { Items = [], ScannedCount = 0, LastEvaluatedKey } = await this.#scan(id, from);
      events.push(...Items.flatMap(eventsOf).filter((event) => event.id === id));
      itemsRead += ScannedCount;
      from = LastEvaluatedKey;
    } while (from && this.#clock.now() < until);
    return { events, itemsRead, ...(from && { cursor: cursorAfterItem(from) }) };
  }

  /**
   * Scans for commits that can contain the id. Commits with compressed events always match because the filter cannot
   * read them.
   */
  #scan(id: string, from: Item | undefined) {
    return this.#client.scan({
      TableName: this.#table,
      FilterExpression:
        'begins_with(sk, :commits) AND attribute_exists(packed) OR begins_with(sk, :commits) AND contains(entries, :id)',
      ExpressionAttributeValues: {
        ':commits': { S: commitPrefix },
        ':id': { S: JSON.stringify(id) },
      },
      ProjectionExpression: 'pk, sk, entries, packed',
      ExclusiveStartKey: from,
    });
  }
}

/** Returns a commit's events. Returns none for a damaged commit so that the search can continue after it. */
function eventsOf(item: Item): FoundEvent[] {
  try {
    return eventsIn(item).map((event) => ({ ...instanceOf(item.pk!.S!), ...event }));
  } catch {
    return [];
  }
}
