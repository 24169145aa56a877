import type { Deadline } from '../common/deadline.ts';
import type { InstanceKey } from '../core/event/event.ts';
import { storedReason } from '../core/history/reason.ts';
import { isLaterSequence, type StreamPosition } from '../core/history/sequence.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import { finishQueueChange, type QueueChangeResult } from '../parking/finish-queue-change.ts';
import type { ParkingDependencies } from '../parking/parking-dependencies.ts';
import type { ParkedEvent } from '../parking/parking-store.ts';
import { dequeue } from '../parking/unpark.ts';
import type { EventStream } from '../stream/event-stream.ts';
import { redriveRecord } from '../stream/redrive-record.ts';
import { invokeModel } from './invoke-model.ts';
import type { ModelInvoker } from './model-invoker.ts';
import type { BatchRecorder } from './monitoring/batch-recorder.ts';

/** The maximum number of parked events to apply in one invocation. */
const pageSize = 500;
/** How long a batch's redrives can run before other records continue, in milliseconds. */
export const redriveTimeSlice = 2_000;

export interface RedriveDependencies extends ParkingDependencies {
  readonly models: ModelInvoker;
  readonly stream: EventStream;
  readonly recorder: BatchRecorder;
  /** No invocation of the model starts after this deadline. */
  readonly invokeBy: Deadline;
}

/** A request to redrive an instance's parked events, with its limits. */
export interface RedriveRequest {
  readonly instance: InstanceKey;
  /**
   * The position of the record that caused the redrive: a redrive request, or a parked or duplicate event of the
   * instance.
   */
  readonly cause: StreamPosition;
  /**
   * The position of the instance's last record in the batch. Events with later positions on the shard remain parked:
   * they belong to another batch, which may not have parked all of its events yet.
   */
  readonly upTo: StreamPosition;
  /** When to stop; at least one page is always applied. A new record on the stream continues the redrive. */
  readonly sliceEnd: Deadline;
}

/** The state of the queue after a redrive. */
type QueueEnd =
  | { readonly kind: 'empty'; readonly oldest?: undefined }
  /** `stuck`: the oldest event failed. `more`: the oldest event has not been attempted yet. */
  | { readonly kind: 'stuck' | 'more'; readonly oldest: ParkedEvent };

/**
 * Applies an instance's parked events in order, until the queue is empty or an event fails because of its model or
 * because AWS permanently rejects the instance. The failing event and the events after it remain parked. If the time
 * slice ends first or only events with positions after `upTo` are left, puts another redrive request on the stream so
 * that other instances can continue in the meantime.
 *
 * A redrive removes an event from the queue only if the event is applied, rejected, or a duplicate. A retry after a
 * crash therefore continues where the crashed attempt stopped.
 *
 * @throws Error if storage, the stream, or Lambda fails, or if time runs out. The caller must retry the whole redrive.
 */
export async function redriveQueue(
  dependencies: RedriveDependencies,
  { functionArn }: RegistryEntry,
  { instance, cause, upTo, sliceEnd }: RedriveRequest,
): Promise<void> {
  const { models, parking, deadLetters, stream, recorder, invokeBy } = dependencies;
  const change = await parking.begin(instance, cause);
  /** The dequeued events. Omits their data to save memory because a redrive can apply many pages. */
  const done: QueueChangeResult['events'][number][] = [];
  const { kind, oldest } = await applyPages();
  if (kind === 'more') await stream.put([redriveRecord(instance)]);
  await finishQueueChange(dependencies, change, { added: -done.length, oldest, events: done });

  async function applyPages(): Promise<QueueEnd> {
    for (;;) {
      const isOver = done.length > 0 && sliceEnd.hasPassed;
      const page = await parking.oldest(instance, isOver ? 1 : pageSize);
      const [oldest] = page;
      if (!oldest) return { kind: 'empty' };
      if (isOver || isLater(oldest)) return { kind: 'more', oldest };
      const later = page.findIndex(isLater);
      const stuckAt = await applyPage(later === -1 ? page : page.slice(0, later));
      if (stuckAt) return { kind: 'stuck', oldest: stuckAt };
    }
  }

  /** Applies events and dequeues the completed events. Returns the event that failed, if any. */
  async function applyPage(events: readonly ParkedEvent[]): Promise<ParkedEvent | undefined> {
    const options = { deadline: invokeBy, resume: true };
    const outcomes = await invokeModel(models, functionArn, events, options);
    const end = outcomes.findIndex(({ outcome }) => outcome === 'failed' || outcome === 'behind');
    const applied = end === -1 ? events : events.slice(0, end);
    await dequeue({ parking, deadLetters }, instance, applied);
    for (const { position, letterId, hasLargeLetter } of applied)
      done.push({ position, letterId, ...(hasLargeLetter && { hasLargeLetter }) });
    for (const { outcome } of outcomes.slice(0, applied.length))
      if (outcome !== 'failed' && outcome !== 'behind')
        recorder.recordRedriven(instance.model, outcome);
    const last = outcomes[end];
    if (last?.outcome === 'failed') {
      if (last.fault === 'service') throw new Error(last.reason);
      await markFault(events[end]!, last.reason);
    }
    return events[end];
  }

  function isLater({ position }: ParkedEvent): boolean {
    return position.shard === upTo.shard && isLaterSequence(position.sequence, upTo.sequence);
  }

  /**
   * Marks the event that blocks the queue as faulty. The event may have been parked only because of an earlier event.
   */
  async function markFault(parked: ParkedEvent, whole: string): Promise<void> {
    const reason = storedReason(whole);
    if (parked.fault && parked.reason === reason) return;
    const letter = await deadLetters.get(parked.letterId);
    if (letter) await deadLetters.replace({ ...letter, reason });
    await parking.replace({ ...parked, fault: true, reason });
  }
}
