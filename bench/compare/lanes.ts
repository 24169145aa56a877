import type { WorkEvent } from '../support/work.ts';

/**
 * Processes events in parallel lanes. Each lane processes its events sequentially, and all events of an instance use
 * the same lane, so an instance's events stay in order and do not conflict.
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
