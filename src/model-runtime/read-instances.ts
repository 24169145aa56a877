import { isPermanent } from '../core/errors.ts';
import type { Head } from '../core/history/commit.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import { mayHaveDuplicates, partitionDuplicates, partitionRepeats } from './duplicates.ts';
import type { InstanceWork } from './instance-work.ts';
import type { TransitionRequest } from './protocol.ts';

export type ReadOptions = Pick<TransitionRequest, 'resume'>;

/** Reads the latest commit of each instance that requires a read, and filters out duplicates. */
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

/**
 * Reads heads that can be stale. Reading such heads costs less than reading the latest commits. The result is
 * sufficient if all events are known to be new and the instance has no parked events.
 */
async function readOptimistic(
  store: InstanceStore,
  works: readonly InstanceWork[],
  { resume = false }: ReadOptions,
): Promise<void> {
  const answers = await store.readOptimistic(works.map((work) => work.key));
  const found: { work: InstanceWork; head: Head }[] = [];
  for (const [index, work] of works.entries()) {
    const answer = answers[index]!;
    if ('error' in answer) refuseOptimistic(work, answer.error);
    else {
      const { head, mayHaveParked } = answer.value;
      work.noteParked(mayHaveParked);
      if (mayHaveParked && !resume) work.requireConsistentRead();
      else if (head) found.push({ work, head });
      else continueFromNew(work, head);
    }
  }
  const doubts = await mayHaveDuplicates(
    store,
    found.map(({ work, head }) => ({ head, events: work.unapplied })),
  );
  for (const [index, { work, head }] of found.entries()) {
    const doubt = doubts[index]!;
    if ('error' in doubt) refuseOptimistic(work, doubt.error);
    else if (doubt.value) work.requireConsistentRead();
    else continueFromNew(work, head);
  }
}

/**
 * Records that an optimistic read failed. Another instance in the same request may have caused a permanent error, so
 * the instance is read again in a separate, consistent request.
 */
function refuseOptimistic(work: InstanceWork, error: unknown): void {
  if (isPermanent(error)) work.requireConsistentRead();
  else work.failStorage(error);
}

/** Continues from a head that has processed none of the unapplied events. The events may still repeat one another. */
function continueFromNew(work: InstanceWork, head: Head | undefined): void {
  work.continueFrom(head, partitionRepeats(work.unapplied), false);
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
