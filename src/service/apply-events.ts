import type { Clock } from '../core/clock.ts';
import { deadLetterId } from '../core/dead-letter.ts';
import { messageOf } from '../core/errors.ts';
import type { InstanceKey } from '../core/event.ts';
import type { RegistryEntry } from '../core/registry-entry.ts';
import type { Arrived, Failure } from './arrived.ts';
import type { BatchReport } from './batch-report.ts';
import { invokeModel } from './invoke-model.ts';
import { type Parking, park, type Stopped, unpark } from './parking.ts';
import type { DataKeys, ModelInvoker } from './ports.ts';
import { resume } from './resume.ts';
import { sealStopped } from './sealing/sealed-events.ts';

/** How often a model is tried on an event that it fails on, before the event is parked. */
export interface RetrySettings {
  /** 1 or more. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is four times as long. */
  readonly backoff: number;
}

/** What applying events needs around it. */
export interface ApplyEnvironment extends Parking {
  readonly models: ModelInvoker;
  readonly retry: RetrySettings;
  readonly clock: Clock;
  /** What the data of events is sealed with that are parked; none where no model has personal data. */
  readonly dataKeys?: DataKeys;
  /** Told of events that were parked. */
  readonly onParked: (parked: readonly Stopped[]) => void;
  readonly report: BatchReport;
}

/** An event that is parked for another one's sake. */
const behindReason = 'an earlier event of the instance is parked';

/**
 * Has a model apply its events of a batch, in stream order. Where it fails
 * again and again, the event is parked, and those behind it of the same
 * instance too; other instances go on.
 *
 * @returns the records that have to be delivered again: storage or Lambda
 *   itself failed on them.
 */
export async function applyEvents(
  environment: ApplyEnvironment,
  entry: RegistryEntry,
  arrived: readonly Arrived[],
): Promise<Failure[]> {
  const { failures, stopped, repeated } = await tryToApply(environment, entry, arrived);
  if (stopped.length > 0) environment.onParked(stopped);
  const queues = Map.groupBy(stopped, (each) => each.arrived.event.transaction);
  const duplicates = Map.groupBy(repeated, ({ event }) => event.transaction);
  const instances = new Set([...queues.keys(), ...duplicates.keys()]);
  const parking = [...instances].map((transaction) =>
    parkQueue(environment, entry, queues.get(transaction) ?? [], duplicates.get(transaction) ?? []),
  );
  return [...failures, ...(await Promise.all(parking)).flat()];
}

async function tryToApply(
  { models, retry, clock, report }: ApplyEnvironment,
  { functionArn }: RegistryEntry,
  arrived: readonly Arrived[],
): Promise<{ failures: Failure[]; stopped: Stopped[]; repeated: Arrived[] }> {
  const failures: Failure[] = [];
  const stopped: Stopped[] = [];
  /** Duplicates in instances of which something is parked. */
  const repeated: Arrived[] = [];
  let open = arrived;
  for (let attempt = 1; open.length > 0; attempt++) {
    const events = open.map(({ record, event }) => ({ event, position: record.position }));
    const outcomes = await invokeModel(models, functionArn, events);
    const faulty: Stopped[] = [];
    for (const [index, each] of open.entries()) {
      const outcome = outcomes[index]!;
      if (outcome.outcome === 'behind')
        stopped.push({ arrived: each, reason: behindReason, fault: false });
      if (outcome.outcome === 'duplicate' && outcome.parked) repeated.push(each);
      if (outcome.outcome !== 'failed') {
        if (outcome.outcome !== 'behind') report.ended(each, outcome.outcome);
        continue;
      }
      const { fault, reason } = outcome;
      if (fault === 'service') failures.push({ record: each.record, reason });
      else faulty.push({ arrived: each, reason, fault: true });
    }
    open = faulty.map((each) => each.arrived);
    if (attempt === retry.attempts)
      return { failures, stopped: [...stopped, ...asQueues(faulty)], repeated };
    if (open.length > 0) await clock.sleep(retry.backoff * 4 ** (attempt - 1));
  }
  return { failures, stopped, repeated };
}

/** Of each instance only the first event is at fault; the others never came to the model. */
function asQueues(faulty: readonly Stopped[]): Stopped[] {
  const seen = new Set<string>();
  return faulty.map((each) => {
    const { transaction } = each.arrived.event;
    if (!seen.has(transaction)) {
      seen.add(transaction);
      return each;
    }
    return { ...each, reason: behindReason, fault: false };
  });
}

async function parkQueue(
  environment: ApplyEnvironment,
  entry: RegistryEntry,
  queue: readonly Stopped[],
  duplicates: readonly Arrived[],
): Promise<Failure[]> {
  const concerned = [...queue.map(({ arrived }) => arrived), ...duplicates];
  const instance = concerned[0]!.event;
  const failures = queue.length > 0 ? await parkSealed(environment, entry, instance, queue) : [];
  for (const { arrived } of queue.slice(0, queue.length - failures.length))
    environment.report.ended(arrived, 'parked');
  if (failures.length > 0) return [...failures, ...duplicates.map(asFailure)];
  try {
    // A crash may have left them parked though they were applied.
    const left = duplicates.map(({ record }) => ({
      position: record.position,
      letterId: deadLetterId(record.eventId, record.arrivedAt),
    }));
    await unpark(environment, instance, left);
    if (left.length > 0) await environment.parking.writeCount(instance);
    // Between the model's look at the queue and our joining it, a redrive may have emptied it:
    // then nothing is at its head that anyone would redrive.
    const [head] = await environment.parking.oldest(instance, 1);
    if (head && !head.fault) await resume(environment, entry, instance);
    return [];
  } catch {
    // They are parked and not lost; delivered again, they come here again.
    return concerned.map(asFailure);
  }
}

/** Parks an instance's events, sealed where its model has personal data. */
async function parkSealed(
  environment: ApplyEnvironment,
  { id, sensitive }: RegistryEntry,
  instance: InstanceKey,
  queue: readonly Stopped[],
): Promise<Failure[]> {
  const { dataKeys } = environment;
  if (!sensitive) return park(environment, instance, queue);
  try {
    if (!dataKeys) throw new Error(`the model ${id} has personal data, and the tracker no keys`);
    return await park(environment, instance, await sealStopped(dataKeys, instance, queue));
  } catch (error) {
    const reason = `could not be sealed: ${messageOf(error)}`;
    return queue.map(({ arrived }) => ({ record: arrived.record, reason }));
  }
}

const asFailure = ({ record }: Arrived): Failure => ({ record, reason: behindReason });
