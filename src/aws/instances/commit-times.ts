import type { InstanceKey } from '../../core/event/event.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { committedAt, versionOf } from './commit-item.ts';
import { commitKey, itemKey } from './instance-keys.ts';

/** How many commits each request in the search reads. Seven commits split the remaining range into eight parts. */
const probesPerRequest = 7;

/** Reads the times of the commits with these versions. Returns the times by version. */
export async function commitTimes(
  client: DynamoDb,
  table: string,
  key: InstanceKey,
  versions: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const keys = versions.map((version) => itemKey(key, commitKey(version)));
  const items = await batchGet(client, table, keys, { attributes: ['sk', 'at'] });
  return new Map(items.map((item) => [versionOf(item), committedAt(item)]));
}

/**
 * Finds the version of the last commit at or before a time; 0 if there is none. Commit times never decrease, so a
 * search over versions needs only a few requests.
 *
 * @param at the time, RFC 3339 in UTC, with milliseconds.
 * @param later a version that was committed after that time.
 * @throws Error if the commit of an earlier version is missing.
 */
export async function lastVersionBy(
  at: string,
  later: number,
  timesOf: (versions: readonly number[]) => Promise<ReadonlyMap<number, string>>,
): Promise<number> {
  let [made, notMade] = [0, later];
  while (notMade - made > 1) {
    const versionsToRead = evenlySpaced(made, notMade);
    const times = await timesOf(versionsToRead);
    for (const version of versionsToRead) {
      const time = times.get(version);
      if (time === undefined) throw new Error(`the commit of version ${version} is missing`);
      if (time <= at) made = version;
      else notMade = Math.min(notMade, version);
    }
  }
  return made;
}

/** Returns up to seven evenly spaced versions between two versions, exclusive of both. */
function evenlySpaced(made: number, notMade: number): number[] {
  const count = Math.min(probesPerRequest, notMade - made - 1);
  const step = (notMade - made) / (count + 1);
  return Array.from({ length: count }, (_, n) => made + Math.round(step * (n + 1)));
}
