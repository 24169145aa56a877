import type { BlockedEvent } from '../../parking/blocked-event.ts';
import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';
import { outOfTimeReason } from '../invoke-model.ts';

const hour = 60 * 60 * 1000;
/**
 * An event that AWS rejects for this long, in milliseconds, while other instances make progress, is parked: the
 * cause is its own instance, such as a throttled partition or an item that AWS rejects.
 */
const maximumAgeIfOthersSucceed = 2 * hour;
/**
 * An event that AWS rejects for this long is parked even if no other instance shows that AWS works, because its
 * batch holds back the records after it. Parking requires that the tables can be written, so an outage of
 * DynamoDB parks nothing.
 */
const maximumAgeIfAllFail = 12 * hour;

/** The prefix of the reason for an event, redrive or rebuild that AWS refused for too long. */
export const refusedForHoursPrefix = 'AWS refused it for hours: ';

/**
 * True if a redrive or rebuild has been retried for two hours and is given up, so that it stops blocking its lane.
 * Nothing is lost: it can be requested again.
 *
 * @param reason why it failed this time.
 * @param now milliseconds since 1970.
 */
export const isRetryExhausted = ({ record }: ReceivedEvent, reason: string, now: number): boolean =>
  isOverdue(record, reason, now, maximumAgeIfOthersSucceed);

/** Running out of time in the dispatcher is no evidence of a problem with AWS. */
const isOverdue = (record: StreamRecord, reason: string, now: number, patience: number): boolean =>
  reason !== outOfTimeReason && now - record.arrivedAt >= patience;

/** An event that failed because of storage or Lambda. */
export interface RefusedEvent {
  readonly received: ReceivedEvent;
  readonly reason: string;
}

/**
 * Separates refused events that are worth another delivery from those that are stuck.
 *
 * @param healthy the transaction ids of instances in the same batch with a completed event.
 * @param now milliseconds since 1970.
 */
export function partitionOverdueEvents(
  refused: readonly RefusedEvent[],
  healthy: ReadonlySet<string>,
  now: number,
): { readonly failures: BatchItemFailure[]; readonly stuck: BlockedEvent[] } {
  const failures: BatchItemFailure[] = [];
  const stuck: BlockedEvent[] = [];
  const stuckInstances = new Set<string>();
  for (const { received, reason } of refused) {
    const { event, record } = received;
    const { transaction } = event;
    const isAmongOthers = healthy.size > (healthy.has(transaction) ? 1 : 0);
    const patience = isAmongOthers ? maximumAgeIfOthersSucceed : maximumAgeIfAllFail;
    if (isOverdue(record, reason, now, patience)) stuckInstances.add(transaction);
    // Later events of a stuck instance wait behind its first.
    if (stuckInstances.has(transaction))
      stuck.push({ received, reason: refusedForHoursPrefix + reason, fault: true });
    else failures.push({ record, reason });
  }
  return { failures, stuck };
}
