import type { BlockedEvent } from '../../parking/blocked-event.ts';
import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';
import { outOfTimeReason } from '../invoke-model.ts';

const hour = 60 * 60 * 1000;
/**
 * The age in milliseconds at which an event that AWS keeps rejecting is parked if other instances make progress. In
 * this case, only the event's instance is affected, for example because its partition is throttled.
 */
const maximumAgeIfOthersSucceed = 2 * hour;
/**
 * The age in milliseconds at which an event that AWS keeps rejecting is parked even if no other instance makes
 * progress, because its batch holds back later records. Parking writes to DynamoDB, so an outage of DynamoDB parks no
 * events.
 */
const maximumAgeIfAllFail = 12 * hour;

/** The prefix of the reason for giving up on an event or a redrive that AWS rejected for too long. */
export const refusedForHoursPrefix = 'AWS kept failing for hours: ';

/**
 * True if a request for a redrive or rebuild has failed for two hours. Milepost then gives up, to let later records
 * continue. Nothing is lost, because operators can repeat the request.
 *
 * @param reason why the latest attempt failed.
 * @param now the current time, in milliseconds since 1970.
 */
export const isRetryExhausted = ({ record }: ReceivedEvent, reason: string, now: number): boolean =>
  isOverdue(record, reason, now, maximumAgeIfOthersSucceed);

/**
 * True if AWS has rejected a record for too long. False if the dispatcher ran out of time, because AWS may not be the
 * cause.
 */
const isOverdue = (record: StreamRecord, reason: string, now: number, patience: number): boolean =>
  reason !== outOfTimeReason && now - record.arrivedAt >= patience;

/** An event that failed because of storage or Lambda. */
export interface RefusedEvent {
  readonly received: ReceivedEvent;
  readonly reason: string;
}

/**
 * Separates the events to redeliver from the stuck events, which AWS has rejected for too long and which are parked.
 *
 * @param healthy the transaction ids of the instances that have a completed event in the same batch.
 * @param now the current time, in milliseconds since 1970.
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
    // Later events of a stuck instance are also stuck, because they must not overtake its first stuck event.
    if (stuckInstances.has(transaction))
      stuck.push({ received, reason: refusedForHoursPrefix + reason, fault: true });
    else failures.push({ record, reason });
  }
  return { failures, stuck };
}
