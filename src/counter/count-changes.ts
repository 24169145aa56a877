import { messageOf } from '../common/message-of.ts';
import { isPermanent } from '../core/errors.ts';
import { type CountedChange, changesInGeneration } from './changes-in-generation.ts';
import type { Generations } from './generations.ts';
import type { Markers } from './markers.ts';
import type { RowChange } from './row-change.ts';

/** A counter item that could not be updated. */
export interface CounterFailure {
  /** The position of the first given change to the item. The item may already contain this change. */
  readonly sequence: string;
  readonly error: unknown;
}

export interface CounterStore {
  /**
   * Adds counter changes. Each change is counted exactly once because every item stores how far it has counted each
   * shard.
   *
   * @param changes in shard order.
   * @returns the items that could not be updated. All other items contain all changes.
   */
  add(
    generation: number,
    shard: string,
    changes: readonly CountedChange[],
  ): Promise<readonly CounterFailure[]>;
}

export interface CounterDependencies {
  /** Reads the generations with strong consistency. */
  readonly readGenerations: () => Promise<Generations>;
  readonly counters: CounterStore;
  readonly markers: Markers;
  /** Logs that changes must be redelivered. */
  readonly logRetry: (reason: string) => void;
  /** Logs that counters are wrong until they are rebuilt, because DynamoDB permanently rejected an update. */
  readonly logLost: (reason: string) => void;
}

/**
 * Counts the changes to status rows from one shard, in order.
 *
 * @returns the position from which the changes must be redelivered; undefined if all changes are counted.
 */
export async function countChanges(
  { readGenerations, counters, markers, logRetry, logLost }: CounterDependencies,
  shard: string,
  changes: readonly RowChange[],
): Promise<string | undefined> {
  if (changes.length === 0) return undefined;
  const failed = new Set<string>();
  try {
    const { current, next } = await readGenerations();
    for (const generation of next ? [current, next] : [current]) {
      const counted = await changesInGeneration(markers, generation, shard, changes);
      for (const { sequence, error } of await counters.add(generation.number, shard, counted)) {
        if (isPermanent(error)) logLost(messageOf(error));
        else {
          logRetry(messageOf(error));
          failed.add(sequence);
        }
      }
    }
  } catch (error) {
    logRetry(messageOf(error));
    return changes[0]!.sequence;
  }
  return changes.find(({ sequence }) => failed.has(sequence))?.sequence;
}
