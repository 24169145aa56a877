import type { Clock } from '../common/clock.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { Stopped } from '../parking/blocked-event.ts';
import type { Failure } from '../stream/batch-item-failure.ts';
import { type Arrived, toPositionedEvent } from '../stream/received-event.ts';
import { type InvokeOutcome, invokeModel, outOfTime } from './invoke-model.ts';
import { partitionStuck, type Refused } from './overdue-events.ts';
import {
  behindReason,
  type ParkBlockedDependencies,
  parkBlockedEvents,
} from './park-blocked-events.ts';

/** How often a model is tried on an event that it fails on, before the event is parked. */
export interface RetrySettings {
  /** 1 or more. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is four times as long. */
  readonly backoff: number;
}

/** The collaborators that apply events. */
export interface ApplyEnvironment extends ParkBlockedDependencies {
  readonly retry: RetrySettings;
  readonly clock: Clock;
  /** Told of events that were parked. */
  readonly onParked: (parked: readonly Stopped[]) => void;
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
  dependencies: ApplyEnvironment,
  entry: RegistryEntry,
  events: readonly Arrived[],
): Promise<Failure[]> {
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
interface FaultyEvent extends Stopped {
  /** Its invocation failed as a whole: it is tried again in an invocation of its own. */
  readonly crashed: boolean;
}

/** The events that were not applied, after all attempts. */
interface AttemptResult {
  readonly failures: readonly Failure[];
  readonly blocked: readonly Stopped[];
  /** Duplicates in instances that have parked events. */
  readonly duplicates: readonly Arrived[];
}

async function attemptEvents(
  { models, retry, clock, recorder, invokeBy }: ApplyEnvironment,
  { functionArn }: RegistryEntry,
  events: readonly Arrived[],
): Promise<AttemptResult> {
  const refused: Refused[] = [];
  const refusedForGood: Stopped[] = [];
  const behind: Stopped[] = [];
  const duplicates: Arrived[] = [];
  /** Instances of which an event ended: AWS does its work for them. */
  const healthy = new Set<string>();
  const invoke = (some: readonly Arrived[], alone: boolean) =>
    invokeModel(models, functionArn, some.map(toPositionedEvent), { deadline: invokeBy, alone });

  let faulty = new Map<Arrived, FaultyEvent>();
  const classify = (received: Arrived, outcome: InvokeOutcome, previous?: FaultyEvent) => {
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
        else if (previous && reason === outOfTime) faulty.set(received, previous);
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
  const { failures, stuck } = partitionStuck(refused, healthy, clock.now());
  const atFault = new Map<Arrived, Stopped>(faulty);
  for (const each of [...refusedForGood, ...stuck]) atFault.set(each.received, each);
  const inOrder = events.flatMap((each) => atFault.get(each) ?? []);
  return { failures, blocked: [...behind, ...asQueues(inOrder)], duplicates };
}

/** Of each instance only the first event is at fault; the others never came to the model. */
function asQueues(faulty: readonly Stopped[]): Stopped[] {
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
