import type { InstanceKey } from '../../core/event/event.ts';
import type { OptimisticRead } from '../../stores/instance-store.ts';
import type { Item } from '../client/dynamodb.ts';
import { headFrom, StoredCommit } from './commit-item.ts';
import type { CommitReader } from './commit-reader.ts';
import {
  commitKey,
  commitPrefix,
  parkedPrefix,
  sortKeysBetween,
  statusKey,
} from './instance-keys.ts';
import { mayHaveParkedEvents } from './queue-row.ts';
import type { SeenDependencies } from './with-whole-seen.ts';

/** Dependencies for reading heads. */
export interface HeadDependencies extends SeenDependencies {
  readonly commits: CommitReader;
}

/**
 * Reads the head of an instance that is not in the cache and determines whether the instance may have parked events.
 * One request is usually sufficient. An instance's items are sorted by kind: large texts, commits, parked events, pages
 * of fingerprints, status row. If there are no parked events and no pages, the last two items are the latest commit and
 * the status row.
 */
export async function queryHead(
  { client, table, commits }: HeadDependencies,
  key: InstanceKey,
): Promise<OptimisticRead> {
  const { Items: items = [] } = await client.query({
    TableName: table,
    ...sortKeysBetween(key, commitKey(1), statusKey),
    // An event must wait for the parked events before it, even if they were parked only milliseconds ago.
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 2,
  });
  const below = items.find(({ sk }) => sk!.S !== statusKey);
  const isParked = below?.sk!.S!.startsWith(parkedPrefix) ?? false;
  const commit = below && !isCommit(below) ? await commits.lastItem(key) : below;
  return {
    head: commit && headFrom(new StoredCommit(commit)),
    mayHaveParked: isParked || items.some(mayHaveParkedEvents),
  };
}

const isCommit = ({ sk }: Item) => sk!.S!.startsWith(commitPrefix);
