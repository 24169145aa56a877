import { behindReason } from '../core/event/dead-letter-reason.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { BlockedEvent } from '../parking/blocked-event.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import { type ReceivedEvent, toPositionedEvent } from '../stream/received-event.ts';
import type { FailureTracker } from './failures/failure-tracker.ts';
import { partitionOverdueEvents, type RefusedEvent } from './failures/overdue-events.ts';
import {
  type BlockedOutcome,
  type ParkBlockedDependencies,
  parkBlockedEvents,
} from './failures/park-blocked-events.ts';
import { type AttemptOutcome, invokeModel, outOfTimeReason } from './invoke-model.ts';
import type { RegistryCache } from './registry-cache.ts';

/**
 * How many times to try to apply an event on which its model fails, and the delays between attempts. After the last
 * attempt, the event is parked.
 */
export interface RetrySettings {
  /** The number of attempts, at least 1. */
  readonly attempts: number;
  /**
   * The delay before the first retry, in milliseconds. Each later delay is four times as long as the previous delay.
   */
  readonly backoff: number;
}

export interface ApplyEventsDependencies extends ParkBlockedDependencies {
  readonly retry: RetrySettings;
  readonly registry: Pick<RegistryCache, 'getLatest'>;
  readonly failureTracker: Pick<FailureTracker, keyof FailureTracker>;
}

/**
 * Applies a batch's events with their model, in stream order. If the model keeps failing on an event, or AWS rejects
 * the event's instance permanently or for hours, the event and the later events of the instance are parked. Other
 * instances are not affected.
 *
 * If time runs out, an event that has failed is parked after fewer attempts, and the remaining records are returned to
 * the stream. Each delivery of the batch therefore makes progress.
 *
 * @returns the records to redeliver because storage or Lambda failed or time ran out, the records that can be neither
 *   applied nor parked, and the parked events.
 */
export async function applyEvents(
  dependencies: ApplyEventsDependencies,
  entry: RegistryEntry,
  events: readonly ReceivedEvent[],
): Promise<BlockedOutcome> {
  const { failures, blocked, duplicates } = await attemptEvents(dependencies, entry, events);
  // If a deployment has just added sensitive fields to the model, the events must be sealed.
  const current = blocked.length > 0 ? await currentEntry(dependencies, entry) : entry;
  const blockedOf = Map.groupBy(blocked, ({ received }) => received.event.transaction);
  const duplicatesOf = Map.groupBy(duplicates, ({ event }) => event.transaction);
  const instances = new Set([...blockedOf.keys(), ...duplicatesOf.keys()]);
  const parking = [...instances].map((transaction) =>
    parkBlockedEvents(
      dependencies,
      current,
      blockedOf.get(transaction) ?? [],
      duplicatesOf.get(transaction) ?? [],
    ),
  );
  const results = await Promise.all(parking);
  return {
    failures: [...failures, ...results.flatMap((each) => each.failures)],
    rejected: results.flatMap((each) => each.rejected),
    parked: results.flatMap((each) => each.parked),
  };
}

/** An event on which its model failed. */
interface FaultyEvent extends BlockedEvent {
  /**
   * True if an invocation with only this event failed as a whole. The event is then retried in a separate invocation.
   */
  readonly crashed: boolean;
}

/** The events that need more work after all attempts. */
interface AttemptResult {
  readonly failures: readonly BatchItemFailure[];
  readonly blocked: readonly BlockedEvent[];
  /** Duplicates in instances that have parked events. */
  readonly duplicates: readonly ReceivedEvent[];
}

async function attemptEvents(
  dependencies: ApplyEventsDependencies,
  entry: RegistryEntry,
  events: readonly ReceivedEvent[],
): Promise<AttemptResult> {
  const { models, retry, clock, failureTracker, recorder, invokeBy } = dependencies;
  let current = entry;
  const refused: RefusedEvent[] = [];
  const refusedForGood: BlockedEvent[] = [];
  const behind: BlockedEvent[] = [];
  const duplicates: ReceivedEvent[] = [];
  /**
   * The instances with a completed event. The progress of these instances shows that the other failures are not caused
   * by an AWS outage.
   */
  const healthy = new Set<string>();
  const invoke = (some: readonly ReceivedEvent[], alone: boolean) =>
    invokeModel(models, current.functionArn, some.map(toPositionedEvent), {
      deadline: invokeBy,
      alone,
    });

  let faulty = new Map<ReceivedEvent, FaultyEvent>();
  const classify = (received: ReceivedEvent, outcome: AttemptOutcome, previous?: FaultyEvent) => {
    switch (outcome.outcome) {
      case 'behind':
        behind.push({ received, reason: behindReason, fault: false });
        return;
      case 'failed': {
        const { fault, reason, crashed = false } = outcome;
        if (fault === 'model') faulty.set(received, { received, reason, fault: true, crashed });
        // The fault is permanent, so another attempt would fail in the same way.
        else if (fault === 'instance') refusedForGood.push({ received, reason, fault: true });
        // Time ran out before all attempts were used.
        else if (previous && reason === outOfTimeReason) faulty.set(received, previous);
        else refused.push({ received, reason });
        return;
      }
      case 'applied':
      case 'rejected':
      case 'duplicate':
        healthy.add(received.event.transaction);
        if (outcome.outcome === 'duplicate' && outcome.parked) duplicates.push(received);
        recorder.recordOutcome(received, outcome.outcome);
    }
  };

  for (const [index, outcome] of (await invoke(events, false)).entries())
    classify(events[index]!, outcome);
  for (let attempt = 2; attempt <= retry.attempts && faulty.size > 0; attempt++) {
    const pause = retry.backoff * 4 ** (attempt - 2);
    if (pause >= invokeBy.remaining) break;
    await clock.sleep(pause);
    current = await currentEntry(dependencies, current);
    const previous = faulty;
    faulty = new Map();
    const retryEvents = async (alone: boolean) => {
      const retried = [...previous.values()].filter(({ crashed }) => crashed === alone);
      if (retried.length === 0) return;
      const outcomes = await invoke(
        retried.map(({ received }) => received),
        alone,
      );
      for (const [index, each] of retried.entries())
        classify(each.received, outcomes[index]!, each);
    };
    await Promise.all([retryEvents(false), retryEvents(true)]);
  }
  if (healthy.size > 0 || refused.length > 0)
    failureTracker.recordBatch(entry.id, healthy.size > 0, clock.now());
  const { failures, stuck } = partitionOverdueEvents(dependencies, entry.id, refused, healthy);
  const atFault = new Map<ReceivedEvent, BlockedEvent>(faulty);
  for (const each of [...refusedForGood, ...stuck]) atFault.set(each.received, each);
  const inOrder = events.flatMap((each) => atFault.get(each) ?? []);
  return { failures, blocked: [...behind, ...blameFirstOfEachInstance(inOrder)], duplicates };
}

/**
 * Reads a model's registry entry again. Since the entry was read, a deployment may have replaced the function and
 * deleted the previous function. If the registry cannot be read, returns the previous entry.
 */
async function currentEntry(
  { registry, invokeBy }: Pick<ApplyEventsDependencies, 'registry' | 'invokeBy'>,
  previous: RegistryEntry,
): Promise<RegistryEntry> {
  const reading = registry.getLatest(previous.id).catch(() => undefined);
  const entry = await invokeBy.race(reading);
  return entry === undefined || entry === 'late' ? previous : entry;
}

/**
 * Marks only the first event of each instance as faulty. The later events never reached the model, so they are queued
 * behind the first event.
 */
function blameFirstOfEachInstance(faulty: readonly BlockedEvent[]): BlockedEvent[] {
  const seen = new Set<string>();
  return faulty.map((each) => {
    const { transaction } = each.received.event;
    if (!seen.has(transaction)) {
      seen.add(transaction);
      return each;
    }
    return { ...each, reason: behindReason, fault: false };
  });
}
