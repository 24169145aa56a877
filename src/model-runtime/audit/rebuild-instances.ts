import pMap from 'p-map';
import { messageOf } from '../../common/message-of.ts';
import { type Commit, commitMetadata, nextCommit } from '../../core/history/commit.ts';
import { requiredRebuild } from '../../core/replay/audit.ts';
import { isStatusRowRebuild } from '../../core/replay/rebuild.ts';
import { toIso } from '../../core/time/timestamp.ts';
import { faultOf } from '../instance-work.ts';
import type { EventOutcome, FaultKind, PositionedEvent } from '../protocol.ts';
import {
  OutOfTimeError,
  type Verification,
  type VerifyDependencies,
  verifyInstance,
} from './verify-instance.ts';

/** Instances that are rebuilt side by side. */
const concurrency = 4;
/** How often a lost condition is looked at again before the event goes back to the stream. */
const maximumConflicts = 10;

/**
 * Rebuilds instances of one model from their histories: one that is otherwise than its history folds gets one
 * more commit, whose entry is the event that asked for it; nothing is taken back, and nothing is sent or
 * published. Its status row is written anew where it is missing or wrong. Where all is right nothing
 * changes, so that doing it again completes what a crash left.
 *
 * @param until when what was not begun is handed back, in milliseconds since 1970.
 * @returns an outcome for each event, in the same order: `applied` where something was written.
 */
export function rebuildInstances(
  environment: VerifyDependencies,
  events: readonly PositionedEvent[],
  until = Number.POSITIVE_INFINITY,
): Promise<EventOutcome[]> {
  const { clock } = environment;
  return pMap(
    events,
    async (event, index): Promise<EventOutcome> => {
      if (index > 0 && clock.now() >= until)
        return failed('service', 'there was no time for it any more');
      try {
        return await rebuildOne(environment, event, until);
      } catch (error) {
        // Those that began first had all the time that there is.
        const isHopeless = error instanceof OutOfTimeError && index < concurrency;
        return failed(isHopeless ? 'model' : faultOf(error), messageOf(error));
      }
    },
    { concurrency: concurrency },
  );
}

async function rebuildOne(
  environment: VerifyDependencies,
  positioned: PositionedEvent,
  until: number,
): Promise<EventOutcome> {
  const { event } = positioned;
  const rowsOnly = isStatusRowRebuild(event);
  for (let lost = 0; lost < maximumConflicts; lost++) {
    const examined = await verifyInstance(environment, event, { rowsOnly, until });
    const written = await write(environment, positioned, examined);
    const fault = examined.audit.replayed?.fault;
    if (written === 'lost') continue;
    if (fault)
      return failed('model', `it fails on ${fault.event.type} ${fault.event.id}: ${fault.reason}`);
    return { outcome: written === 'written' ? 'applied' : 'duplicate' };
  }
  return failed('service', 'other writers kept being first');
}

async function write(
  { store, rows, clock }: VerifyDependencies,
  positioned: PositionedEvent,
  { audit, newest, folded, storedRow: stored }: Verification,
): Promise<'written' | 'nothing to do' | 'lost'> {
  const wanted = requiredRebuild(audit);
  // Where nothing is applied yet there is only a queue, which is not ours to count.
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

/** The commit that leaves an instance as its history folds. */
function rebuildCommit(
  newest: Commit,
  { model, after }: NonNullable<Verification['folded']>,
  { event, position }: PositionedEvent,
  at: string,
): Commit {
  const entry = { outcome: 'applied', reason: null, effects: [] } as const;
  const step = { ...entry, event, data: JSON.stringify(event.data), after, position };
  return nextCommit(newest, newest, [step], commitMetadata(model, after.description, at));
}

const failed = (fault: FaultKind, reason: string): EventOutcome => ({
  outcome: 'failed',
  fault,
  reason,
});
