import pMap from 'p-map';
import { messageOf } from '../../common/message-of.ts';
import { type Commit, madeBy, nextCommit } from '../../core/history/commit.ts';
import { rebuildOf } from '../../core/replay/audit.ts';
import { isOfRowsOnly } from '../../core/replay/rebuild.ts';
import { toIso } from '../../core/time/timestamp.ts';
import { faultOf } from '../instance-work.ts';
import type { EventOutcome, Fault, PositionedEvent } from '../protocol.ts';
import { type Examined, type ExamineEnvironment, examine, OutOfTime } from './examine.ts';

/** Instances that are rebuilt side by side. */
const lanes = 4;
/** How often a lost condition is looked at again before the event goes back to the stream. */
const maximumLosses = 10;

/**
 * Rebuilds instances of one model from their histories: one that is otherwise than its history folds gets one
 * more commit, whose entry is the event that asked for it; nothing is taken back, and nothing is sent or
 * published. Its status row is written anew where it is missing or wrong. Where all is right nothing
 * changes, so that doing it again completes what a crash left.
 *
 * @param until when what was not begun is handed back, in milliseconds since 1970.
 * @returns an outcome for each event, in the same order: `applied` where something was written.
 */
export function rebuild(
  environment: ExamineEnvironment,
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
        const isHopeless = error instanceof OutOfTime && index < lanes;
        return failed(isHopeless ? 'model' : faultOf(error), messageOf(error));
      }
    },
    { concurrency: lanes },
  );
}

async function rebuildOne(
  environment: ExamineEnvironment,
  positioned: PositionedEvent,
  until: number,
): Promise<EventOutcome> {
  const { event } = positioned;
  const rowsOnly = isOfRowsOnly(event);
  for (let lost = 0; lost < maximumLosses; lost++) {
    const examined = await examine(environment, event, { rowsOnly, until });
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
  { store, rows, clock }: ExamineEnvironment,
  positioned: PositionedEvent,
  { audit, newest, folded, storedRow: stored }: Examined,
): Promise<'written' | 'nothing to do' | 'lost'> {
  const wanted = rebuildOf(audit);
  // Where nothing is applied yet there is only a queue, which is not ours to count.
  if (!newest || wanted === 'nothing') return 'nothing to do';
  let head: Commit = newest;
  if (wanted === 'all' && folded) {
    head = rebuilt(newest, folded, positioned, toIso(clock.now()));
    const [answer] = await store.commit([head]);
    if ('error' in answer!) throw answer.error;
    if (answer!.value === 'conflict') return 'lost';
  }
  return (await rows.rewrite(head, stored)) === 'written' ? 'written' : 'lost';
}

/** The commit that leaves an instance as its history folds. */
function rebuilt(
  newest: Commit,
  { model, after }: NonNullable<Examined['folded']>,
  { event, position }: PositionedEvent,
  at: string,
): Commit {
  const entry = { outcome: 'applied', reason: null, effects: [] } as const;
  const step = { ...entry, event, data: JSON.stringify(event.data), after, position };
  return nextCommit(newest, newest, [step], madeBy(model, after.description, at));
}

const failed = (fault: Fault, reason: string): EventOutcome => ({
  outcome: 'failed',
  fault,
  reason,
});
