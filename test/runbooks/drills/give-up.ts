import { readdir } from 'node:fs/promises';
import type { World } from '../world/world.ts';

/** The ages in milliseconds at which event sources discard records. */
const ages = { '6.6 days': 6.6 * 24 * 3_600_000, '23 hours': 23 * 3_600_000 } as const;

/**
 * Puts a record that an event source discards because of its age, and waits until it is in the failure bucket.
 *
 * @param functionName the function of the event source, such as `Dispatcher`
 */
export async function giveUp(
  world: World,
  functionName: string,
  { age, record }: { readonly age: keyof typeof ages; readonly record: object },
): Promise<void> {
  world.recordAge.addedMs = ages[age];
  const isGivenUp = async () => {
    const found = await readdir(world.buckets, { recursive: true }).catch(() => []);
    return found.some(
      (path) => path.includes(`Tracker${functionName}`) && path.includes('/shardId'),
    );
  };
  try {
    await world.put(record);
    await world.until(isGivenUp, `a record of ${functionName} is in the failure bucket`);
  } finally {
    world.recordAge.addedMs = 0;
  }
}
