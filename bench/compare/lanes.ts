import type { WorkEvent } from '../support/work.ts';

/**
 * Processes events in several lanes in parallel. Events of an instance share a lane, where they run sequentially, so
 * that they stay in order and do not conflict.
 */
export async function inLanes<Item extends Pick<WorkEvent, 'transactionid'>>(
  lanes: number,
  items: readonly Item[],
  handle: (item: Item, lane: number) => Promise<void>,
): Promise<void> {
  const queues = Array.from({ length: lanes }, (): Item[] => []);
  const laneOf = new Map<string, number>();
  for (const item of items) {
    const lane = laneOf.get(item.transactionid) ?? laneOf.size % lanes;
    laneOf.set(item.transactionid, lane);
    queues[lane]!.push(item);
  }
  await Promise.all(
    queues.map(async (queue, lane) => {
      for (const item of queue) await handle(item, lane);
    }),
  );
}
