import type { InstanceKey } from '../../core/event/event.ts';
import type { OptimisticRead } from '../../stores/instance-store.ts';
import type { Item } from '../client/dynamodb.ts';
import { headFrom, StoredCommit } from './commit-item.ts';
import {
  commitKey,
  commitPrefix,
  parkedPrefix,
  sortKeysBetween,
  statusKey,
} from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';
import { mayHaveParkedEvents } from './queue-row.ts';
import { readLastItem } from './read-items.ts';

/**
 * Reads the head of an instance that is not in the cache and determines whether the instance may have parked events.
 * One request is usually sufficient. An instance's items are sorted by kind: bodies, commits, parked events, pages
 * of fingerprints, status row. If there are no parked events and no pages, the last two items are the latest commit and
 * the status row.
 */
export async function queryHead(
  instances: InstancesTable,
  key: InstanceKey,
): Promise<OptimisticRead> {
  const { Items: items = [] } = await instances.client.query({
    TableName: instances.table,
    ...sortKeysBetween(key, commitKey(1), statusKey),
    // An event must wait for the parked events before it, even if they were parked only milliseconds ago.
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 2,
  });
  const below = items.find(({ sk }) => sk!.S !== statusKey);
  const isParked = below?.sk!.S!.startsWith(parkedPrefix) ?? false;
  const commit = below && !isCommit(below) ? await readLastItem(instances, key) : below;
  return {
    head: commit && headFrom(new StoredCommit(commit)),
    mayHaveParked: isParked || items.some(mayHaveParkedEvents),
  };
}

const isCommit = ({ sk }: Item) => sk!.S!.startsWith(commitPrefix);
