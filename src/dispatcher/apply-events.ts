import type { Clock } from '../common/clock.ts';
import type { Deadline } from '../common/deadline.ts';
import { messageOf } from '../common/message-of.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { StreamPosition } from '../core/history/commit.ts';
import { isBehind } from '../core/history/sequence.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import { sealStopped } from '../model-runtime/sealing/sealed-events.ts';
import { type Parking } from '../parking/parking-dependencies.ts';
import { park } from '../parking/park.ts';
import { unpark } from '../parking/unpark.ts';
import { type Stopped } from '../parking/blocked-event.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import type { EventStream } from '../stream/event-stream.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import type { Arrived } from '../stream/received-event.ts';
import type { Failure } from '../stream/batch-item-failure.ts';
import type { BatchReport } from './batch-recorder.ts';
import { type InvokeOutcome, invokeModel, outOfTime } from './invoke-model.ts';
import type { ModelInvoker } from './model-invoker.ts';
import { redriveSlice, resume } from './redrive-queue.ts';
import { partitionStuck, type Refused } from './overdue-events.ts';

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
  /** Takes the record that continues a long redrive. */
  readonly stream: EventStream;
  readonly retry: RetrySettings;
  readonly clock: Clock;
  /** What the data of events is sealed with that are parked; none where no model has personal data. */
  readonly dataKeys?: DataKeys;
  /** Told of events that were parked. */
  readonly onParked: (parked: readonly Stopped[]) => void;
  readonly report: BatchReport;
  /** No invocation of a model starts after this moment. The time after it is for parking. */
  readonly invokeBy: Deadline;
}

/** An event that is parked for another one's sake. */
const behindReason = 'an earlier event of the instance is parked';

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

/** An event that its model failed on. */
interface Faulty extends Stopped {
  /** Its invocation failed as a whole: it is tried again in an invocation of its own. */
  readonly crashed: boolean;
}

async function tryToApply(
  { models, retry, clock, report, invokeBy }: ApplyEnvironment,
  { functionArn }: RegistryEntry,
  arrived: readonly Arrived[],
): Promise<{ failures: Failure[]; stopped: Stopped[]; repeated: Arrived[] }> {
  const refused: Refused[] = [];
  const refusedForGood: Stopped[] = [];
  const stopped: Stopped[] = [];
  /** Duplicates in instances of which something is parked. */
  const repeated: Arrived[] = [];
  /** Instances of which an event ended: AWS does its work for them. */
  const healthy = new Set<string>();
  const invoke = (events: readonly Arrived[], alone: boolean) =>
    invokeModel(models, functionArn, events.map(toPositioned), { deadline: invokeBy, alone });

  let faulty = new Map<Arrived, Faulty>();
  const sort = (each: Arrived, outcome: InvokeOutcome, failedBefore: Faulty | undefined) => {
    switch (outcome.outcome) {
      case 'behind':
        stopped.push({ arrived: each, reason: behindReason, fault: false });
        return;
      case 'failed': {
        const { fault, reason, crashed = false } = outcome;
        if (fault === 'model') faulty.set(each, { arrived: each, reason, fault: true, crashed });
        // Another attempt would end alike.
        else if (fault === 'instance') refusedForGood.push({ arrived: each, reason, fault: true });
        // The time ran out before the attempts did.
        else if (failedBefore && reason === outOfTime) faulty.set(each, failedBefore);
        else refused.push({ arrived: each, reason });
        return;
      }
      case 'applied':
      case 'rejected':
      case 'duplicate':
        healthy.add(each.event.transaction);
        if (outcome.outcome === 'duplicate' && outcome.parked) repeated.push(each);
        report.ended(each, outcome.outcome);
    }
  };

  for (const [index, outcome] of (await invoke(arrived, false)).entries())
    sort(arrived[index]!, outcome, undefined);
  for (let attempt = 2; attempt <= retry.attempts && faulty.size > 0; attempt++) {
    const pause = retry.backoff * 4 ** (attempt - 2);
    if (pause >= invokeBy.remaining) break;
    await clock.sleep(pause);
    const before = faulty;
    faulty = new Map();
    const again = async (alone: boolean) => {
      const events = [...before.values()].filter(({ crashed }) => crashed === alone);
      if (events.length === 0) return;
      const outcomes = await invoke(
        events.map((each) => each.arrived),
        alone,
      );
      for (const [index, each] of events.entries()) sort(each.arrived, outcomes[index]!, each);
    };
    await Promise.all([again(false), again(true)]);
  }
  const { failures, stuck } = partitionStuck(refused, healthy, clock.now());
  const atFault = new Map<Arrived, Stopped>(faulty);
  for (const each of [...refusedForGood, ...stuck]) atFault.set(each.arrived, each);
  const inOrder = arrived.flatMap((each) => atFault.get(each) ?? []);
  return { failures, stopped: [...stopped, ...asQueues(inOrder)], repeated };
}

const toPositioned = ({ record, event }: Arrived) => ({ event, position: record.position });

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
  const records = concerned.map(({ record }) => record);
  const instance = concerned[0]!.event;
  const failures = queue.length > 0 ? await parkSealed(environment, entry, instance, queue) : [];
  if (failures.length > 0) return [...failures, ...duplicates.map(asFailure)];
  for (const { arrived } of queue) environment.report.ended(arrived, 'parked');
  try {
    // A crash may have left them parked though they were applied.
    if (duplicates.length > 0)
      await unpark(
        environment,
        instance,
        duplicates.map(({ record }) => record),
      );
    // Between the model's look at the queue and our joining it, a redrive may have emptied it:
    // then nothing is at its head that anyone would redrive.
    const [head] = await environment.parking.oldest(instance, 1);
    if (!head || head.fault) return [];
    const cause = records[0]!.position;
    const upTo = lastOf(records);
    const sliceEnd = environment.invokeBy.within(redriveSlice);
    await resume(environment, entry, { instance, cause, upTo, sliceEnd });
    return [];
  } catch {
    // They are parked and not lost; delivered again, they come here again.
    return concerned.map(asFailure);
  }
}

/** The position of the last of some records of a shard. */
export function lastOf(records: readonly StreamRecord[]): StreamPosition {
  return records
    .map(({ position }) => position)
    .reduce((last, each) => (isBehind(each.sequence, last.sequence) ? each : last));
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
