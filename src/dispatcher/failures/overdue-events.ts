import type { BlockedEvent } from '../../parking/blocked-event.ts';
import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';
import { outOfTimeReason } from '../invoke-model.ts';

const hour = 60 * 60 * 1000;
/**
 * An event that AWS refused for this long, in milliseconds, while other instances went on is parked:
 * the cause is its own instance, such as a partition that is throttled or an item that AWS rejects.
 */
const maximumAgeIfOthersSucceed = 2 * hour;
/**
 * An event that AWS refused for this long is parked even if no other instance shows that AWS works:
 * until then its batch holds back the records that wait behind it. Parking only succeeds if the
 * tables can be written, so an outage of DynamoDB parks nothing.
 */
const maximumAgeIfAllFail = 12 * hour;

/** The start of the reason of whatever AWS refused for too long. */
export const refusedForHoursPrefix = 'AWS refused it for hours: ';

/**
 * Whether a redrive or a rebuild is given up after two hours, so that it blocks its lane no longer. Nothing
 * is lost: it can be requested again.
 *
 * @param reason why it could not be done now.
 * @param now milliseconds since 1970.
 */
export const isRetryExhausted = ({ record }: ReceivedEvent, reason: string, now: number): boolean =>
  isOverdue(record, reason, now, maximumAgeIfOthersSucceed);

/** A lack of time in the dispatcher says nothing about AWS. */
const isOverdue = (record: StreamRecord, reason: string, now: number, patience: number): boolean =>
  reason !== outOfTimeReason && now - record.arrivedAt >= patience;

/** An event that AWS refused: storage or Lambda failed on it. */
export interface RefusedEvent {
  readonly received: ReceivedEvent;
  readonly reason: string;
}

/**
 * Separates refused events that are worth another delivery from those that are stuck.
 *
 * @param healthy the transaction ids of instances in the same batch for which AWS did its work.
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
