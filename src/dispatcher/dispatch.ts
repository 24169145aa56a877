import pMap from 'p-map';
import { userRecords } from '../aws/stream/user-records.ts';
import { Deadline } from '../common/deadline.ts';
import { messageOf } from '../common/message-of.ts';
import { type DeadLetter, deadLetterId } from '../core/event/dead-letter.ts';
import { decodeEvent, type EventHints } from '../core/event/event.ts';
import { isRedrive } from '../core/event/redrive.ts';
import { storedReason } from '../core/history/reason.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import { isRebuild } from '../core/replay/rebuild.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { Stopped } from '../parking/parking.ts';
import type { EventMacs } from '../stream/signing/event-macs.ts';
import type { StreamRecord } from '../stream/stream-record.ts';
import { type ApplyEnvironment, applyEvents, lastOf } from './apply-events.ts';
import type { Arrived, Failure } from './arrived.ts';
import { authenticate, claimsToBeOwn } from './authenticate.ts';
import { BatchReport } from './batch-report.ts';
import { invokeRebuild, outOfTime } from './invoke-model.ts';
import type { Measures, Traces } from './measures.ts';
import type { RegistryCache } from './registry-cache.ts';
import { redriveSlice, resume } from './resume.ts';
import { isGivenUp, refusedForHours } from './stuck-events.ts';

/** What the dispatcher needs around it. */
export interface DispatchEnvironment
  extends Omit<ApplyEnvironment, 'onParked' | 'report' | 'invokeBy'> {
  readonly registry: RegistryCache;
  /** Tells Milepost's own events from forgeries. */
  readonly macs: Pick<EventMacs, 'flawOf'>;
  /** Told of everything that an operator may want to know; one call a batch and kind. */
  readonly log: DispatchLog;
  /** Where nobody wants to know what batches come to, there are none. */
  readonly measures?: Measures;
  /** Where traces are not recorded, there are none. */
  readonly traces?: Traces;
}

/** What a dispatcher says of its work. */
export interface DispatchLog {
  deadLetters(letters: readonly DeadLetter[]): void;
  parked(parked: readonly Stopped[]): void;
  failures(failures: readonly Failure[]): void;
}

/**
 * The share of an invocation's time that is kept for parking, and the most of it in milliseconds:
 * models are invoked only before that.
 */
const parkingShare = 0.25;
const longestParking = 60_000;
/** How many instances are redriven at the same time. */
const redrivesAtOnce = 8;

/**
 * Dispatches a batch of stream records to their models. A record that a producer's library aggregated
 * is dispatched as the events in it. A record becomes a dead letter if it is no event, if its model is
 * not registered, or if it claims to be Milepost's own and has no valid MAC.
 *
 * @param deadline records that are not done by then are handed back, whatever they wait for.
 * @returns the records to deliver again; it never throws because of a record.
 */
export async function dispatch(
  environment: DispatchEnvironment,
  records: readonly StreamRecord[],
  deadline = Deadline.none(environment.clock),
): Promise<StreamRecord[]> {
  const bad: BadRecord[] = [];
  const events: Arrived[] = [];
  const apart = records.map((record) => userRecords(record));
  for (const { refused } of apart) if (refused) bad.push({ ...refused, hints: noHints });
  for (const record of apart.flatMap(({ records: read }) => read)) {
    const checked = decodeEvent(record.data, record.arrivedAt);
    if (checked.ok) events.push({ record, event: checked.event, trace: checked.trace });
    else bad.push({ record, reason: checked.reason, hints: checked.hints });
  }
  const report = new BatchReport(environment.clock);
  const invokeBy = deadline.earlierBy(Math.min(longestParking, parkingShare * deadline.remaining));
  const reporting = { ...environment, report, invokeBy };
  /** The failures of some records, or all of them where the time runs out. */
  const inTime = async (some: readonly { record: StreamRecord }[], work: Promise<Failure[]>) => {
    const failures = await deadline.race(work);
    return failures === 'late'
      ? some.map(({ record }) => ({ record, reason: outOfTime }))
      : failures;
  };
  const {
    genuine,
    forged,
    failures: unverified,
  } = claimsToBeOwn(events)
    ? await authenticate(environment.macs, events)
    : { genuine: events, forged: [], failures: [] };
  bad.push(...forged.map(({ arrived, reason }) => asBad(arrived, reason)));
  const groups = [...Map.groupBy(genuine, ({ event }) => event.model)];
  const failures = await Promise.all([
    inTime(bad, toDeadLetters(reporting, bad)),
    ...groups.map(([model, group]) => inTime(group, toModel(reporting, model, group))),
  ]);
  const all = [...unverified, ...failures.flat()];
  if (all.length > 0) environment.log.failures(all);
  environment.measures?.batch(report);
  if (report.spans.length > 0)
    await deadline.race(environment.traces?.record(report.spans) ?? done);
  return [...new Set(all.map(({ record }) => record.within ?? record))];
}

const done = Promise.resolve();

const noHints: EventHints = { modelId: null, transactionId: null, eventId: null };

interface ReportingEnvironment extends DispatchEnvironment {
  readonly report: BatchReport;
  readonly invokeBy: Deadline;
}

interface BadRecord {
  readonly record: StreamRecord;
  readonly reason: string;
  readonly hints: EventHints;
}

const unknownModel = (arrived: Arrived) => asBad(arrived, `no such model: ${arrived.event.model}`);

function asBad({ record, event }: Arrived, reason: string): BadRecord {
  const hints = { modelId: event.model, transactionId: event.transaction, eventId: event.id };
  return { record, reason, hints };
}

/** What could not be done of a group: what has to come again, and what never will. */
interface Undone {
  readonly failures: Failure[];
  readonly bad: BadRecord[];
}

/** Has a model apply its events of the batch, then redrives and rebuilds instances. */
async function toModel(
  environment: ReportingEnvironment,
  model: string,
  group: readonly Arrived[],
): Promise<Failure[]> {
  const { registry, log } = environment;
  try {
    const bad: BadRecord[] = [];
    const entry = await registry.get(model);
    if (!entry) return await toDeadLetters(environment, group.map(unknownModel));
    const redrives = group.filter(({ event }) => isRedrive(event));
    const rebuilds = group.filter(({ event }) => isRebuild(event));
    const events = group.filter(({ event }) => !isRedrive(event) && !isRebuild(event));
    const onParked = (parked: readonly Stopped[]) => {
      // Its function may have been replaced or taken away.
      registry.forget(model);
      log.parked(parked);
    };
    const failures =
      events.length > 0 ? await applyEvents({ ...environment, onParked }, entry, events) : [];
    const redriven = await redriveAll(environment, entry, redrives, { events, failures });
    const rebuilt = await rebuildAll(environment, entry, rebuilds);
    bad.push(...redriven.bad, ...rebuilt.bad);
    failures.push(...redriven.failures, ...rebuilt.failures);
    failures.push(...(await toDeadLetters(environment, bad)));
    if (failures.length > 0) registry.forget(model);
    return failures;
  } catch (error) {
    return group.map(({ record }) => ({ record, reason: messageOf(error) }));
  }
}

/**
 * Has the parked events of instances applied again, once for each instance.
 *
 * @param before the events of the batch, which come first, and those of them that have to be
 *   delivered again: their instances are redriven after that.
 */
async function redriveAll(
  environment: ReportingEnvironment,
  entry: RegistryEntry,
  redrives: readonly Arrived[],
  before: { readonly events: readonly Arrived[]; readonly failures: readonly Failure[] },
): Promise<Undone> {
  const failures: Failure[] = [];
  const bad: BadRecord[] = [];
  const handedBack = new Set(before.failures.map(({ record }) => record));
  const eventsOf = Map.groupBy(before.events, ({ event }) => event.transaction);
  const sliceEnd = environment.invokeBy.within(redriveSlice);
  const redriveOne = async ([transaction, group]: [string, Arrived[]]): Promise<void> => {
    const records = group.map(({ record }) => record);
    const events = (eventsOf.get(transaction) ?? []).map(({ record }) => record);
    if (events.some((record) => handedBack.has(record))) {
      const reason = 'events of the instance have to be delivered again first';
      failures.push(...records.map((record) => ({ record, reason })));
      return;
    }
    const redrive = { cause: records[0]!.position, upTo: lastOf([...records, ...events]) };
    try {
      await resume(environment, entry, { instance: group[0]!.event, ...redrive, sliceEnd });
    } catch (error) {
      const reason = messageOf(error);
      for (const arrived of group)
        if (isGivenUp(arrived, reason, environment.clock.now()))
          bad.push(asBad(arrived, `${refusedForHours}could not be redriven: ${reason}`));
        else failures.push({ record: arrived.record, reason });
    }
  };
  const instances = Map.groupBy(redrives, ({ event }) => event.transaction);
  await pMap(instances, redriveOne, { concurrency: redrivesAtOnce });
  return { failures, bad };
}

/** Has instances rebuilt from their histories, and from their queues what their rows say of these. */
async function rebuildAll(
  { models, parking, invokeBy, clock }: ReportingEnvironment,
  { functionArn }: RegistryEntry,
  rebuilds: readonly Arrived[],
): Promise<Undone> {
  const failures: Failure[] = [];
  const bad: BadRecord[] = [];
  if (rebuilds.length === 0) return { failures, bad };
  try {
    // First: by its row it is told that an event has to wait behind those that are parked.
    for (const { event } of rebuilds) await parking.recount(event);
    const positioned = rebuilds.map(({ record, event }) => ({ event, position: record.position }));
    const outcomes = await invokeRebuild(models, functionArn, positioned, { deadline: invokeBy });
    for (const [index, arrived] of rebuilds.entries()) {
      const outcome = outcomes[index]!;
      if (outcome.outcome !== 'failed') continue;
      const { fault, reason } = outcome;
      if (fault === 'service' && !isGivenUp(arrived, reason, clock.now()))
        failures.push({ record: arrived.record, reason });
      // The instance stays as it is, and holds up nobody.
      else bad.push(asBad(arrived, `could not be rebuilt: ${reason}`));
    }
    return { failures, bad };
  } catch (error) {
    const reason = messageOf(error);
    return { failures: rebuilds.map(({ record }) => ({ record, reason })), bad: [] };
  }
}

async function toDeadLetters(
  { deadLetters, log, measures, registry, report }: ReportingEnvironment,
  bad: readonly BadRecord[],
): Promise<Failure[]> {
  if (bad.length === 0) return [];
  const letters = bad.map(
    ({ record, reason, hints }): DeadLetter => ({
      ...hints,
      id: deadLetterId(record.eventId, record.arrivedAt),
      reason: storedReason(reason),
      at: toIso(record.arrivedAt),
      partitionKey: record.partitionKey,
      parked: null,
      raw: record.data,
    }),
  );
  const answers = await deadLetters.put(letters);
  const isKept = (_: unknown, index: number) => !('error' in answers[index]!);
  const kept = letters.filter(isKept);
  if (kept.length > 0) log.deadLetters(kept);
  if (measures && kept.length > 0) {
    const models = await registered(registry, kept);
    for (const { modelId } of kept)
      report.deadLetter(modelId !== null && models.has(modelId) ? modelId : undefined);
  }
  return bad.flatMap(({ record }, index) => {
    const answer = answers[index]!;
    return 'error' in answer ? [{ record, reason: messageOf(answer.error) }] : [];
  });
}

/** Which of the models that letters name there are: anybody may name anything. */
async function registered(
  registry: RegistryCache,
  letters: readonly DeadLetter[],
): Promise<Set<string>> {
  const named = new Set(letters.flatMap(({ modelId }) => modelId ?? []));
  const asked = [...named].map(async (id) => {
    try {
      return (await registry.get(id)) ? [id] : [];
    } catch {
      return []; // It is only about what is counted where.
    }
  });
  return new Set((await Promise.all(asked)).flat());
}
