import type { InstanceKey } from '../../core/event/event.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { committedAt, versionOf } from './commit-item.ts';
import { commitKey, partitionOf } from './instance-keys.ts';

/** So many commits are looked at in one request: each of them cuts what is left to look through. */
const probesPerRequest = 7;

/** When some commits of an instance were made, by version. */
export async function commitTimes(
  client: DynamoDb,
  table: string,
  key: InstanceKey,
  versions: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const pk = { S: partitionOf(key) };
  const keys = versions.map((version) => ({ pk, sk: { S: commitKey(version) } }));
  const items = await batchGet(client, table, keys, ['sk', 'at']);
  return new Map(items.map((item) => [versionOf(item), committedAt(item)]));
}

/**
 * The version of the last commit that was made at or before a moment, 0 where none was. No commit was
 * made before the one in front of it, so that a few looks find it among any number.
 *
 * @param at RFC 3339 in UTC, to the millisecond.
 * @param later a version that was made after it; all versions before it are there.
 */
export async function lastVersionBy(
  at: string,
  later: number,
  timesOf: (versions: readonly number[]) => Promise<ReadonlyMap<number, string>>,
): Promise<number> {
  let [made, notMade] = [0, later];
  while (notMade - made > 1) {
    const looks = evenlySpaced(made, notMade);
    const times = await timesOf(looks);
    for (const version of looks) {
      const time = times.get(version);
      if (time === undefined) throw new Error(`a commit is missing: version ${version}`);
      if (time <= at) made = version;
      else notMade = Math.min(notMade, version);
    }
  }
  return made;
}

/** Versions between two, about as far from each other. */
function evenlySpaced(made: number, notMade: number): number[] {
  const count = Math.min(probesPerRequest, notMade - made - 1);
  const step = (notMade - made) / (count + 1);
  return Array.from({ length: count }, (_, n) => made + Math.round(step * (n + 1)));
}
