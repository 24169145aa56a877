import type { InstanceKey } from '../../core/event/event.ts';
import type { OptimisticRead } from '../../stores/instance-store.ts';
import type { Item } from '../client/dynamodb.ts';
import { headFrom, StoredCommit } from './commit-item.ts';
import type { HeadDependencies } from './head-dependencies.ts';
import { commitKey, commitPrefix, parkedPrefix, partitionOf, statusKey } from './instance-keys.ts';
import { mayHaveParkedEvents } from './queue-row.ts';

/**
 * Reads the head of an instance that is not in the cache and determines whether the instance may have parked events.
 * One request is usually sufficient. An instance's items are sorted by kind: large texts, commits, parked events, pages
 * of fingerprints, status row. If there are no parked events and no pages, the last two items are the latest commit and
 * the status row.
 */
export async function queryHead(
  { client, table, last }: HeadDependencies,
  key: InstanceKey,
): Promise<OptimisticRead> {
  const { Items: items = [] } = await client.query({
    TableName: table,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': { S: partitionOf(key) },
      ':first': { S: commitKey(1) },
      ':last': { S: statusKey },
    },
    // An event must wait for the parked events before it, even if they were parked only milliseconds ago.
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 2,
  });
  const below = items.find(({ sk }) => sk!.S !== statusKey);
  const isParked = below?.sk!.S!.startsWith(parkedPrefix) ?? false;
  const commit = below && !isCommit(below) ? await last(key) : below;
  return {
    head: commit && headFrom(new StoredCommit(commit)),
    mayHaveParked: isParked || items.some(mayHaveParkedEvents),
  };
}

const isCommit = ({ sk }: Item) => sk!.S!.startsWith(commitPrefix);
