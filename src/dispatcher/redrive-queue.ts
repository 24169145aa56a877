import type { Deadline } from '../common/deadline.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { StreamPosition } from '../core/history/commit.ts';
import { storedReason } from '../core/history/reason.ts';
import { isLaterSequence } from '../core/history/sequence.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import { finishQueueChange } from '../parking/finish-queue-change.ts';
import { type ParkingDependencies } from '../parking/parking-dependencies.ts';
import type { ParkedEvent } from '../parking/parking-store.ts';
import { dequeue } from '../parking/unpark.ts';
import type { EventStream } from '../stream/event-stream.ts';
import { redriveRecord } from '../stream/redrive-record.ts';
import { invokeModel } from './invoke-model.ts';
import type { ModelInvoker } from './model-invoker.ts';
import type { BatchRecorder } from './monitoring/batch-recorder.ts';

/** How many parked events are applied in one invocation, if they are small. */
const pageSize = 500;
/** For so long, in milliseconds, a batch redrives instances before other records take their turn. */
export const redriveTimeSlice = 2_000;

/** What applying parked events again needs around it. */
export interface RedriveDependencies extends ParkingDependencies {
  readonly models: ModelInvoker;
  readonly stream: EventStream;
  readonly recorder: BatchRecorder;
  /** No invocation of the model starts after this moment. */
  readonly invokeBy: Deadline;
}

/** Which parked events of an instance are applied again, and for how long. */
export interface RedriveRequest {
  readonly instance: InstanceKey;
  /** The position of the record that asks for it. */
  readonly cause: StreamPosition;
  /**
   * The last record of the instance that the batch has. Later ones of its shard stay parked: another
   * batch has them, and may have parked only some of them yet.
   */
  readonly upTo: StreamPosition;
  /** After this moment, but not before one page is done, the redrive is continued by a new record. */
  readonly sliceEnd: Deadline;
}

/** What is left of the queue at the end. */
type QueueEnd =
  | { readonly kind: 'empty'; readonly oldest?: undefined }
  /** The model failed on the oldest event; or there is more to apply. */
  | { readonly kind: 'stuck' | 'more'; readonly oldest: ParkedEvent };

/**
 * Applies an instance's parked events, in order, until none is left or the model fails on one again;
 * that one and those behind it stay parked. If that takes long, another redrive is put on the stream,
 * so that other instances take their turn in between.
 *
 * An event leaves the queue only when it is applied, rejected or a duplicate, so that doing this again
 * after a crash goes on where it was.
 *
 * @throws Error when storage, the stream or Lambda fail: to be tried again as a whole.
 */
export async function redriveQueue(
  dependencies: RedriveDependencies,
  { functionArn }: RegistryEntry,
  { instance, cause, upTo, sliceEnd }: RedriveRequest,
): Promise<void> {
  const { models, parking, deadLetters, stream, recorder, invokeBy } = dependencies;
  const change = await parking.begin(instance, cause);
  const done: ParkedEvent[] = [];
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

  /** Applies events and takes out those that are done; returns the one on which the model failed. */
  async function applyPage(events: readonly ParkedEvent[]): Promise<ParkedEvent | undefined> {
    const options = { deadline: invokeBy, resume: true };
    const outcomes = await invokeModel(models, functionArn, events, options);
    const end = outcomes.findIndex(({ outcome }) => outcome === 'failed' || outcome === 'behind');
    const applied = end === -1 ? events : events.slice(0, end);
    await dequeue({ parking, deadLetters }, instance, applied);
    done.push(...applied);
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

  /** What stopped the queue is the fault now, though it may only have waited until now. */
  async function markFault(parked: ParkedEvent, whole: string): Promise<void> {
    const reason = storedReason(whole);
    if (parked.fault && parked.reason === reason) return;
    const letter = await deadLetters.get(parked.letterId);
    if (letter) await deadLetters.replace({ ...letter, reason });
    await parking.replace({ ...parked, fault: true, reason });
  }
}
