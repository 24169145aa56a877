import type { Clock } from '../common/clock.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { BlockedEvent } from '../parking/blocked-event.ts';
import type { BatchItemFailure } from '../stream/batch-item-failure.ts';
import { type ReceivedEvent, toPositionedEvent } from '../stream/received-event.ts';
import { partitionOverdueEvents, type RefusedEvent } from './failures/overdue-events.ts';
import {
  behindReason,
  type ParkBlockedDependencies,
  parkBlockedEvents,
} from './failures/park-blocked-events.ts';
import { type AttemptOutcome, invokeModel, outOfTimeReason } from './invoke-model.ts';

/** How often a model is tried on an event that it fails on, before the event is parked. */
export interface RetrySettings {
  /** 1 or more. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is four times as long. */
  readonly backoff: number;
}

/** The collaborators that apply events. */
export interface ApplyEventsDependencies extends ParkBlockedDependencies {
  readonly retry: RetrySettings;
  readonly clock: Clock;
  /** Told of events that were parked. */
  readonly onParked: (parked: readonly BlockedEvent[]) => void;
}

/**
 * Has a model apply its events of a batch, in stream order. If it fails on an event again and again,
 * or AWS refuses the event's instance for good, the event is parked, and so are later events of the
 * same instance. Other instances go on.
 *
 * When the time runs out, an event that failed on its own is parked with fewer attempts, and the rest
 * is handed back: redelivery goes on with what is left, and never starts over.
 *
 * @returns the records to deliver again: storage or Lambda failed on them, or the time ran out.
 */
export async function applyEvents(
  dependencies: ApplyEventsDependencies,
  entry: RegistryEntry,
  events: readonly ReceivedEvent[],
): Promise<BatchItemFailure[]> {
  const { failures, blocked, duplicates } = await attemptEvents(dependencies, entry, events);
  if (blocked.length > 0) dependencies.onParked(blocked);
  const blockedOf = Map.groupBy(blocked, ({ received }) => received.event.transaction);
  const duplicatesOf = Map.groupBy(duplicates, ({ event }) => event.transaction);
  const instances = new Set([...blockedOf.keys(), ...duplicatesOf.keys()]);
  const parking = [...instances].map((transaction) =>
    parkBlockedEvents(
      dependencies,
      entry,
      blockedOf.get(transaction) ?? [],
      duplicatesOf.get(transaction) ?? [],
    ),
  );
  return [...failures, ...(await Promise.all(parking)).flat()];
}

/** An event that its model failed on. */
interface FaultyEvent extends BlockedEvent {
  /** Its invocation failed as a whole: it is tried again in an invocation of its own. */
  readonly crashed: boolean;
}

/** The events that were not applied, after all attempts. */
interface AttemptResult {
  readonly failures: readonly BatchItemFailure[];
  readonly blocked: readonly BlockedEvent[];
  /** Duplicates in instances that have parked events. */
  readonly duplicates: readonly ReceivedEvent[];
}

async function attemptEvents(
  { models, retry, clock, recorder, invokeBy }: ApplyEventsDependencies,
  { functionArn }: RegistryEntry,
  events: readonly ReceivedEvent[],
): Promise<AttemptResult> {
  const refused: RefusedEvent[] = [];
  const refusedForGood: BlockedEvent[] = [];
  const behind: BlockedEvent[] = [];
  const duplicates: ReceivedEvent[] = [];
  /** Instances of which an event ended: AWS does its work for them. */
  const healthy = new Set<string>();
  const invoke = (some: readonly ReceivedEvent[], alone: boolean) =>
    invokeModel(models, functionArn, some.map(toPositionedEvent), { deadline: invokeBy, alone });

  let faulty = new Map<ReceivedEvent, FaultyEvent>();
  const classify = (received: ReceivedEvent, outcome: AttemptOutcome, previous?: FaultyEvent) => {
    switch (outcome.outcome) {
      case 'behind':
        behind.push({ received, reason: behindReason, fault: false });
        return;
      case 'failed': {
        const { fault, reason, crashed = false } = outcome;
        if (fault === 'model') faulty.set(received, { received, reason, fault: true, crashed });
        // Another attempt would end alike.
        else if (fault === 'instance') refusedForGood.push({ received, reason, fault: true });
        // The time ran out before the attempts did.
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
  const { failures, stuck } = partitionOverdueEvents(refused, healthy, clock.now());
  const atFault = new Map<ReceivedEvent, BlockedEvent>(faulty);
  for (const each of [...refusedForGood, ...stuck]) atFault.set(each.received, each);
  const inOrder = events.flatMap((each) => atFault.get(each) ?? []);
  return { failures, blocked: [...behind, ...blameFirstOfEachInstance(inOrder)], duplicates };
}

/** Of each instance only the first event is at fault; the others never came to the model. */
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
