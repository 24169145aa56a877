import pMap from 'p-map';
import { messageOf } from '../../common/message-of.ts';
import type { Commit } from '../../core/history/commit.ts';
import { commitMetadata, nextCommit } from '../../core/history/next-commit.ts';
import { requiredRebuild } from '../../core/replay/audit.ts';
import { isStatusRowRebuild } from '../../core/replay/rebuild.ts';
import { toIso } from '../../core/time/timestamp.ts';
import { faultOf } from '../instance-work.ts';
import type { EventOutcome, FaultKind, PositionedEvent } from '../protocol.ts';
import { OutOfTimeError } from './read-history.ts';
import { type Verification, type VerifyDependencies, verifyInstance } from './verify-instance.ts';

/** The maximum number of instances that are rebuilt concurrently. */
const concurrency = 4;
/** The maximum number of conflicts with other writers before the stream redelivers the event. */
const maximumConflicts = 10;

/**
 * Rebuilds instances of one model from their histories. If an instance differs from its folded history, a new commit
 * corrects it, with the event that requested the rebuild as its entry. A rebuild removes nothing from the history and
 * sends no events or notifications. A missing or wrong status row is replaced. A correct instance does not change, so a
 * rebuild can be retried after a crash.
 *
 * @param until when to stop starting rebuilds, in milliseconds since 1970; the stream redelivers the remaining events.
 *   Default: never.
 * @returns an outcome for each event, in the same order: `applied` if a commit or a status row was written.
 */
export function rebuildInstances(
  dependencies: VerifyDependencies,
  events: readonly PositionedEvent[],
  until = Number.POSITIVE_INFINITY,
): Promise<EventOutcome[]> {
  const { clock } = dependencies;
  return pMap(
    events,
    async (event, index): Promise<EventOutcome> => {
      if (index > 0 && clock.now() >= until)
        return failed('service', 'the function ran out of time');
      try {
        return await rebuildOne(dependencies, event, until);
      } catch (error) {
        // The first instances had the full time of the invocation, so a retry would also run out of time.
        const isHopeless = error instanceof OutOfTimeError && index < concurrency;
        return failed(isHopeless ? 'model' : faultOf(error), messageOf(error));
      }
    },
    { concurrency },
  );
}

async function rebuildOne(
  dependencies: VerifyDependencies,
  positioned: PositionedEvent,
  until: number,
): Promise<EventOutcome> {
  const { event } = positioned;
  const rowsOnly = isStatusRowRebuild(event);
  for (let lost = 0; lost < maximumConflicts; lost++) {
    const examined = await verifyInstance(dependencies, event, { rowsOnly, until });
    const written = await write(dependencies, positioned, examined);
    const fault = examined.audit.replayed?.fault;
    if (written === 'lost') continue;
    if (fault)
      return failed(
        'model',
        `the model fails on ${fault.event.type} ${fault.event.id}: ${fault.reason}`,
      );
    return { outcome: written === 'written' ? 'applied' : 'duplicate' };
  }
  return failed('service', 'too many conflicts with other writers');
}

async function write(
  { store, rows, clock }: VerifyDependencies,
  positioned: PositionedEvent,
  { audit, newest, folded, storedRow: stored }: Verification,
): Promise<'written' | 'nothing to do' | 'lost'> {
  const wanted = requiredRebuild(audit);
  // Without a commit, the instance has only parked events, and the dispatcher keeps their number on the status row.
  if (!newest || wanted === 'nothing') return 'nothing to do';
  let head: Commit = newest;
  if (wanted === 'all' && folded) {
    head = rebuildCommit(newest, folded, positioned, toIso(clock.now()));
    const [answer] = await store.commit([head]);
    if ('error' in answer!) throw answer.error;
    if (answer!.value === 'conflict') return 'lost';
  }
  return (await rows.rewrite(head, stored)) === 'written' ? 'written' : 'lost';
}

/** Builds the commit that sets an instance to the result of folding its history. */
function rebuildCommit(
  newest: Commit,
  { model, after, times }: NonNullable<Verification['folded']>,
  { event, position }: PositionedEvent,
  at: string,
): Commit {
  const entry = { outcome: 'applied', reason: null, effects: [] } as const;
  const step = { ...entry, event, data: JSON.stringify(event.data), after, position };
  return nextCommit(newest, newest, [step], commitMetadata(model, after.description, at), times);
}

const failed = (fault: FaultKind, reason: string): EventOutcome => ({
  outcome: 'failed',
  fault,
  reason,
});
