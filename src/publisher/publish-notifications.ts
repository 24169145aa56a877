import type { Deadline } from '../common/deadline.ts';
import type { ExpiringSet } from '../common/expiring-set.ts';
import { messageOf } from '../common/message-of.ts';
import {
  encodeNotificationRecord,
  type NotificationRecord,
  readNotificationRecord,
} from '../core/effects/notification-record.ts';
import { isPermanent } from '../core/errors.ts';
import { type DeadLetter, deadLetterId } from '../core/event/dead-letter.ts';
import type { InstanceKey } from '../core/event/event.ts';
import { storedReason } from '../core/history/reason.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { DeadLetterStore } from '../stores/dead-letter-store.ts';
import type { SettledResult } from '../stores/settled-result.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import type { NotificationBus } from './notification-bus.ts';
import { filterRecord, type NotificationFilter } from './notification-filter.ts';

export interface PublishDependencies {
  readonly bus: NotificationBus;
  readonly deadLetters: Pick<DeadLetterStore, 'put'>;
  /** Selects the notifications to publish. Other consumers of the stream can still read all notifications. */
  readonly filter: NotificationFilter;
  /**
   * The ids of the records that this process has finished. If a record fails, the stream also redelivers later records
   * in the batch. Finished records are skipped to avoid publishing their notifications twice.
   */
  readonly finishedRecordIds: ExpiringSet;
  readonly log: PublishLog;
}

/** The log for operators. Each method is called at most once per batch. */
export interface PublishLog {
  refused(letters: readonly DeadLetter[]): void;
  /** Logs that `count` records must be redelivered. `reason` is the reason for the first of these records. */
  failures(count: number, reason: string): void;
}

/** The time reserved for writing dead letters, in milliseconds. */
const deadLetterReserve = 5_000;
const outOfTimeReason = 'the publisher ran out of time';

/**
 * Publishes the notifications in a batch of stream records. Each instance's notifications are published in order.
 * Notifications that the bus permanently rejects, and records that are not notification records, become dead letters
 * and do not block other notifications.
 *
 * @param deadline when to stop. The remaining records are redelivered.
 * @returns the records to redeliver. A faulty record never causes an error.
 */
export async function publishNotifications(
  { bus, deadLetters, filter, finishedRecordIds: finished, log }: PublishDependencies,
  records: readonly StreamRecord[],
  deadline: Deadline,
): Promise<StreamRecord[]> {
  const batch = records
    .filter(({ recordId }) => !finished.has(recordId))
    .map((record) => ({ record, content: contentOf(record, filter) }));
  const answers = await publishAll(bus, batch, deadline.earlierBy(deadLetterReserve));
  /** The errors of the records that must be redelivered. */
  const failures = new Map<StreamRecord, unknown>();
  const refused: RefusedRecord[] = [];
  for (const { record, content } of batch) {
    if ('flaw' in content) {
      refused.push({ record, reason: `not a notification: ${content.flaw}`, raw: record.data });
      continue;
    }
    // A record without notifications to publish has no results.
    const settled = answers.get(record) ?? [];
    const errors = settled.map((each) => ('error' in each ? each.error : undefined));
    const failure = errors.find((error) => error !== undefined && !isPermanent(error));
    if (failure !== undefined) failures.set(record, failure);
    // The dead letter is written even if the record must be redelivered: the record can expire before it is
    // redelivered.
    if (errors.some(isPermanent)) refused.push(refusedPartOf(record, content.record, errors));
  }
  for (const [record, error] of await putDeadLetters({ deadLetters, log }, refused, deadline))
    failures.set(record, error);
  if (failures.size === 0) return [];
  // The stream redelivers records only if a record in the batch failed, so finished records are remembered only then.
  for (const { record } of batch) if (!failures.has(record)) finished.add(record.recordId);
  const [first] = failures.values();
  log.failures(failures.size, messageOf(first));
  return [...failures.keys()];
}

interface DecodedRecord {
  readonly record: StreamRecord;
  readonly content: ReturnType<typeof readNotificationRecord>;
}

/** Decodes a record and keeps only the notifications to publish. */
function contentOf({ data }: StreamRecord, filter: NotificationFilter): DecodedRecord['content'] {
  const content = readNotificationRecord(data);
  return 'flaw' in content ? content : { record: filterRecord(content.record, filter) };
}

/** Publishes the notifications of all records. Returns the results by record. */
async function publishAll(
  bus: NotificationBus,
  batch: readonly DecodedRecord[],
  deadline: Deadline,
): Promise<ReadonlyMap<StreamRecord, SettledResult<void>[]>> {
  const sent = batch.flatMap(({ record, content }) =>
    'flaw' in content
      ? []
      : content.record.notifications.map((notification) => {
          const { model, transaction } = content.record;
          return { record, instance: { model, transaction }, notification };
        }),
  );
  const answers = await bus.publish(sent, deadline);
  const all = sent.map(({ record }, index) => ({ record, answer: answers[index]! }));
  const byRecord = Map.groupBy(all, ({ record }) => record);
  return new Map([...byRecord].map(([record, some]) => [record, some.map(({ answer }) => answer)]));
}

/** A record with content that cannot be published. */
interface RefusedRecord {
  readonly record: StreamRecord;
  readonly reason: string;
  readonly raw: Uint8Array;
  readonly instance?: InstanceKey;
}

/** Reduces a record to its rejected notifications so that a redrive does not publish the other notifications again. */
function refusedPartOf(
  record: StreamRecord,
  { notifications, ...instance }: NotificationRecord,
  errors: readonly unknown[],
): RefusedRecord {
  const left = notifications.filter((_, index) => isPermanent(errors[index]));
  const reason = `the bus rejected ${left.length} of ${notifications.length} notifications: ${messageOf(errors.find(isPermanent))}`;
  return { record, reason, raw: encodeNotificationRecord(instance, left).data, instance };
}

/** Stores dead letters. Returns the records whose dead letters could not be stored, with the errors. */
async function putDeadLetters(
  { deadLetters, log }: Pick<PublishDependencies, 'deadLetters' | 'log'>,
  refused: readonly RefusedRecord[],
  deadline: Deadline,
): Promise<(readonly [StreamRecord, unknown])[]> {
  if (refused.length === 0) return [];
  const letters = refused.map(deadLetterOf);
  const answers = await deadline.race(deadLetters.put(letters));
  if (answers === 'late') return refused.map(({ record }) => [record, new Error(outOfTimeReason)]);
  const kept = letters.filter((_, index) => !('error' in answers[index]!));
  if (kept.length > 0) log.refused(kept);
  return refused.flatMap(({ record }, index) => {
    const answer = answers[index]!;
    return 'error' in answer ? [[record, answer.error] as const] : [];
  });
}

function deadLetterOf({ record, reason, raw, instance }: RefusedRecord): DeadLetter {
  return {
    // The prefix prevents collisions with records of the event stream, which can have the same ids.
    id: deadLetterId({ ...record, recordId: `notifications/${record.recordId}` }),
    reason: storedReason(reason),
    at: toIso(record.arrivedAt),
    modelId: instance?.model ?? null,
    transactionId: instance?.transaction ?? null,
    eventId: null,
    partitionKey: record.partitionKey,
    parked: null,
    isNotification: true,
    raw,
  };
}
