import { isPermanent } from '../core/errors.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import { mayBeDuplicate, partitionDuplicates } from './duplicates.ts';
import type { InstanceWork } from './instance-work.ts';

/** The options for reading instances. */
export interface ReadOptions {
  /** True for parked events that are applied again: they need not wait behind others. */
  readonly resume?: boolean;
}

/** Reads the latest commit of each instance where it is not known, and filters out duplicates. */
export async function readInstances(
  store: InstanceStore,
  works: readonly InstanceWork[],
  options: ReadOptions,
): Promise<void> {
  await readOptimistic(store, requiring(works, 'optimistic'), options);
  await readConsistent(store, requiring(works, 'consistent'), options);
}

const requiring = (works: readonly InstanceWork[], read: InstanceWork['requiredRead']) =>
  works.filter(({ requiredRead }) => requiredRead === read);

/** Reads cheaply. This is sufficient if all events are definitely new and none is parked. */
async function readOptimistic(
  store: InstanceStore,
  works: readonly InstanceWork[],
  { resume = false }: ReadOptions,
): Promise<void> {
  const answers = await store.readOptimistic(works.map((work) => work.key));
  const reading = works.map(async (work, index) => {
    const answer = answers[index]!;
    if ('error' in answer) {
      // Another instance of the same request may be the cause: a consistent read is one request for each.
      return isPermanent(answer.error)
        ? work.requireConsistentRead()
        : work.failStorage(answer.error);
    }
    const { head, mayHaveParked } = answer.value;
    work.noteParked(mayHaveParked);
    const isDoubtful = head && work.unapplied.some((event) => mayBeDuplicate(head, event));
    if (isDoubtful || (mayHaveParked && !resume)) return work.requireConsistentRead();
    const partitioned = await partitionDuplicates(store, undefined, work.unapplied);
    return work.continueFrom(head, partitioned, false);
  });
  await Promise.all(reading);
}

async function readConsistent(
  store: InstanceStore,
  works: readonly InstanceWork[],
  { resume = false }: ReadOptions,
): Promise<void> {
  const answers = await store.readConsistent(works.map((work) => work.key));
  const reading = works.map(async (work, index) => {
    const answer = answers[index]!;
    try {
      if ('error' in answer) throw answer.error;
      const { commit, hasParked } = answer.value;
      const partitioned = await partitionDuplicates(store, commit, work.unapplied);
      work.continueFrom(commit, partitioned, hasParked || work.mayHaveParked);
      if (hasParked && !resume) work.waitBehindParked();
    } catch (error) {
      work.failStorage(error);
    }
  });
  await Promise.all(reading);
}
