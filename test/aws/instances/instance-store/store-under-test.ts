import { expect } from 'vitest';
import type { InstanceKey } from '../../../../src/core/event/event.ts';
import type { Commit } from '../../../../src/core/history/commit.ts';
import type { StatusRow } from '../../../../src/core/status/status-row.ts';
import type { ParkingStore } from '../../../../src/parking/parking-store.ts';
import type { InstanceStore } from '../../../../src/stores/instance-store.ts';

/** Two stores on the same table, and access to the status rows that they write. */
export interface StoreUnderTest {
  readonly store: InstanceStore;
  /** The store of another process. */
  readonly other: InstanceStore;
  readonly parking: ParkingStore;
  statusRow(key: InstanceKey): Promise<StatusRow | undefined>;
}

/** Returns helpers that write and read commits of the store under test. */
export function accessTo(underTest: () => StoreUnderTest) {
  const writeAll = async (commits: readonly Commit[]) => {
    for (const commit of commits)
      expect(await underTest().store.commit([commit])).toEqual([{ value: 'committed' }]);
  };
  const newest = async (keys: readonly InstanceKey[]) =>
    (await underTest().store.readConsistent(keys)).map((answer) =>
      'error' in answer ? answer : { value: answer.value.commit },
    );
  const newestOf = async (key: InstanceKey) => (await newest([key]))[0];
  const history = async (key: InstanceKey, version: number) => {
    const commits: Commit[] = [];
    for await (const commit of underTest().store.commitsBefore(key, version)) commits.push(commit);
    return commits;
  };
  return { writeAll, newest, newestOf, history };
}

let keys = 0;

/** Returns the key of an instance that no other test uses. */
export function newKey(): InstanceKey {
  keys++;
  return { model: `model-${keys}`, transaction: `T${keys}` };
}
