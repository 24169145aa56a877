import type { Stopped } from '../parking/blocked-event.ts';
import type { Failure } from '../stream/batch-item-failure.ts';
import type { Arrived } from '../stream/received-event.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import { outOfTime } from './invoke-model.ts';

const hour = 60 * 60 * 1000;
/**
 * An event that AWS refused for this long, in milliseconds, while other instances went on is parked:
 * the cause is its own instance, such as a partition that is throttled or an item that AWS rejects.
 */
const patienceAmongOthers = 2 * hour;
/**
 * An event that AWS refused for this long is parked even if no other instance shows that AWS works:
 * until then its batch holds back the records that wait behind it. Parking only succeeds if the
 * tables can be written, so an outage of DynamoDB parks nothing.
 */
const patienceAlone = 12 * hour;

/** The start of the reason of whatever AWS refused for too long. */
export const refusedForHours = 'AWS refused it for hours: ';

/**
 * Whether a redrive or a rebuild is given up after two hours, so that it blocks its lane no longer. Nothing
 * is lost: it can be requested again.
 *
 * @param reason why it could not be done now.
 * @param now milliseconds since 1970.
 */
export const isGivenUp = ({ record }: Arrived, reason: string, now: number): boolean =>
  isOverdue(record, reason, now, patienceAmongOthers);

/** A lack of time in the dispatcher says nothing about AWS. */
const isOverdue = (record: StreamRecord, reason: string, now: number, patience: number): boolean =>
  reason !== outOfTime && now - record.arrivedAt >= patience;

/** An event that AWS refused: storage or Lambda failed on it. */
export interface Refused {
  readonly received: Arrived;
  readonly reason: string;
}

/**
 * Separates refused events that are worth another delivery from those that are stuck.
 *
 * @param healthy the transaction ids of instances in the same batch for which AWS did its work.
 * @param now milliseconds since 1970.
 */
export function partitionStuck(
  refused: readonly Refused[],
  healthy: ReadonlySet<string>,
  now: number,
): { readonly failures: Failure[]; readonly stuck: Stopped[] } {
  const failures: Failure[] = [];
  const stuck: Stopped[] = [];
  const stuckInstances = new Set<string>();
  for (const { received, reason } of refused) {
    const { event, record } = received;
    const { transaction } = event;
    const isAmongOthers = healthy.size > (healthy.has(transaction) ? 1 : 0);
    const patience = isAmongOthers ? patienceAmongOthers : patienceAlone;
    if (isOverdue(record, reason, now, patience)) stuckInstances.add(transaction);
    // Later events of a stuck instance wait behind its first.
    if (stuckInstances.has(transaction))
      stuck.push({ received, reason: refusedForHours + reason, fault: true });
    else failures.push({ record, reason });
  }
  return { failures, stuck };
}
