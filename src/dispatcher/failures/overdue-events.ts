import type { Clock } from '../../common/clock.ts';
import { noTime } from '../../model-runtime/protocol.ts';
import type { BlockedEvent } from '../../parking/blocked-event.ts';
import type { BatchItemFailure } from '../../stream/batch-item-failure.ts';
import type { ReceivedEvent } from '../../stream/received-event.ts';
import type { StreamRecord } from '../../stream/stream-record.ts';
import { outOfTimeReason } from '../invoke-model.ts';
import type { FailureTracker } from './failure-tracker.ts';

const minute = 60 * 1000;
const hour = 60 * minute;
/**
 * The age in milliseconds at which an event that AWS keeps rejecting is parked if other instances make progress. In
 * this case, only the event's instance or model is affected: for example, the instance's partition is throttled, or a
 * key of the model's function is disabled.
 */
const maximumAgeIfOthersSucceed = 2 * hour;
/**
 * The age in milliseconds at which an event that AWS keeps rejecting is parked even if no other instance makes
 * progress. Until then, its batch holds back later records. Parking writes to DynamoDB, so an outage of DynamoDB parks
 * no events.
 */
const maximumAgeIfAllFail = 12 * hour;
/**
 * How long a process must have seen AWS reject an event before it parks the event, in milliseconds. An event in a
 * backlog may have exceeded the maximum age before its first attempt, and AWS is most likely to throttle requests while
 * the backlog is processed. This time is much shorter than the lifetime of an execution environment, which is several
 * hours.
 */
const minimumRefusalTime = 30 * minute;

/** The reason for giving up on an event, a verification, a redrive, or a rebuild that AWS rejected for too long. */
export const refusedForHours = 'AWS kept failing for hours';

/** An event that failed because of storage, Lambda, or the signing keys. */
export interface RefusedEvent {
  readonly received: ReceivedEvent;
  /** The reason that the latest attempt failed. */
  readonly reason: string;
}

/** Dependencies for deciding whether AWS has rejected an event for too long. */
export interface OverdueDependencies {
  readonly clock: Clock;
  readonly failureTracker: Pick<FailureTracker, 'firstFailureOf' | 'hasOtherProgressedSince'>;
}

/**
 * Returns true if the record that caused a redrive or rebuild is at least two hours old and AWS has rejected the
 * redrive or rebuild for at least half an hour. Milepost then gives up so that later records can continue. Nothing is
 * lost: parked events remain parked, and operators can request the redrive or rebuild again.
 */
export const isRetryExhausted = (
  dependencies: OverdueDependencies,
  { received: { record }, reason }: RefusedEvent,
): boolean => isOverdue(dependencies, record, reason, maximumAgeIfOthersSucceed);

/**
 * Returns true if an event that claims to come from Milepost is at least twelve hours old and could not be verified for
 * at least half an hour. Milepost then gives up so that later records can continue. Nothing is lost: operators can
 * redrive the dead letter once the signing keys can be read again.
 */
export const isVerificationExhausted = (
  dependencies: OverdueDependencies,
  { received: { record }, reason }: RefusedEvent,
): boolean => isOverdue(dependencies, record, reason, maximumAgeIfAllFail);

/**
 * Returns true if a record has reached the maximum age and AWS has rejected it for at least `minimumRefusalTime`.
 * Returns false if a function ran out of time: AWS may not be the cause, and other events in the batch made progress in
 * the meantime.
 */
function isOverdue(
  { clock, failureTracker }: OverdueDependencies,
  record: StreamRecord,
  reason: string,
  maximumAge: number,
): boolean {
  if (reason === outOfTimeReason || reason === noTime) return false;
  const now = clock.now();
  // All events in an aggregated record share one time because a batch can contain more events than can be remembered.
  const { recordId } = record.aggregatedRecord ?? record;
  const refusedFor = now - failureTracker.firstFailureOf(recordId, now);
  return refusedFor >= minimumRefusalTime && now - record.arrivedAt >= maximumAge;
}

/**
 * Separates a model's events to redeliver from its stuck events, which AWS has rejected for too long. The caller parks
 * the stuck events.
 *
 * @param healthy the transaction ids of the instances that have a completed event in the same batch.
 */
export function partitionOverdueEvents(
  dependencies: OverdueDependencies,
  model: string,
  refused: readonly RefusedEvent[],
  healthy: ReadonlySet<string>,
): { readonly failures: BatchItemFailure[]; readonly stuck: BlockedEvent[] } {
  const { clock, failureTracker } = dependencies;
  const haveOthersProgressed =
    refused.length > 0 &&
    failureTracker.hasOtherProgressedSince(model, clock.now() - minimumRefusalTime);
  const failures: BatchItemFailure[] = [];
  const stuck: BlockedEvent[] = [];
  const stuckInstances = new Set<string>();
  for (const { received, reason } of refused) {
    const { record } = received;
    const { transaction } = received.event;
    const isAmongOthers = haveOthersProgressed || healthy.size > (healthy.has(transaction) ? 1 : 0);
    const maximumAge = isAmongOthers ? maximumAgeIfOthersSucceed : maximumAgeIfAllFail;
    if (isOverdue(dependencies, record, reason, maximumAge)) stuckInstances.add(transaction);
    // Later events of a stuck instance are also stuck, because they must not overtake its first stuck event.
    if (stuckInstances.has(transaction))
      stuck.push({ received, reason: `${refusedForHours}: ${reason}`, fault: true });
    else failures.push({ record, reason });
  }
  return { failures, stuck };
}
