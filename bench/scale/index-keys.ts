import { indexPartitionNumber } from '../../src/aws/instances/instance-keys.ts';
import { partitionsFor } from '../../src/clock/grow-index-partitions.ts';

/** The load on the partitions of an index key. */
export interface IndexKeyLoad {
  readonly rate: number;
  readonly shards: number;
  /** The number of partitions that the clock announces for these shards. */
  readonly partitions: number;
  /** The average write units per second of a partition. */
  readonly mean: number;
  /** The highest number of write units that a partition uses in a second. */
  readonly highest: number;
}

/**
 * Simulates a few seconds of writes to one index key that all instances share. The number of partitions follows from
 * the number of shards of the event stream. Each write belongs to a different instance.
 *
 * @param unitsPerEvent the write units of the index per event.
 * @param isByTransaction true for the index by transaction, which has half as many partitions as the other indexes and
 *   whose entries are written once.
 */
export function simulateIndexKey(
  {
    rate,
    shards,
    unitsPerEvent,
    isByTransaction = false,
  }: {
    readonly rate: number;
    readonly shards: number;
    readonly unitsPerEvent: number;
    readonly isByTransaction?: boolean;
  },
  seconds = 3,
): IndexKeyLoad {
  const partitions = partitionsFor(shards) / (isByTransaction ? 2 : 1);
  const unitsPerWrite = isByTransaction ? 1 : 2;
  const writes = Math.round((rate * unitsPerEvent) / unitsPerWrite);
  let highest = 0;
  for (let second = 0; second < seconds; second++) {
    const units = new Uint32Array(partitions);
    for (let n = 0; n < writes; n++) {
      const transaction = `T-${second * writes + n}`;
      units[indexPartitionNumber({ model: 'activation', transaction }, partitions)]! +=
        unitsPerWrite;
    }
    highest = units.reduce((most, each) => Math.max(most, each), highest);
  }
  return { rate, shards, partitions, mean: (writes * unitsPerWrite) / partitions, highest };
}
