import type { GenericSchema, InferOutput } from 'valibot';
import type { DeadLetter } from '../core/event/dead-letter.ts';
import type { InstanceKey } from '../core/event/event.ts';
import type { Commit, Entry, Head } from '../core/history/commit.ts';
import { pointerOf } from '../core/json/json-pointer.ts';
import type { Milestone } from '../core/model/description.ts';
import type { ModelVersion } from '../core/model/model-version.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { Field } from '../core/replay/explain.ts';
import { etaOf } from '../core/status/eta.ts';
import { milestoneViews } from '../core/status/milestones.ts';
import type { Pace } from '../core/status/pace.ts';
import { parkedStatus, type StatusRow, statusRow } from '../core/status/status-row.ts';
import { leaving, reaching } from '../core/status/step-times.ts';
import type { Past } from './instances/as-of.ts';
import type * as schemas from './schemas.ts';

/** What a schema says of an answer. */
type Answer<Name extends keyof typeof schemas> = (typeof schemas)[Name] extends GenericSchema
  ? InferOutput<(typeof schemas)[Name]>
  : never;

/** An instance in a list. */
export function summaryView(row: StatusRow): Answer<'summary'> {
  return {
    model: row.model,
    modelVersion: row.modelVersion,
    transaction: row.transaction,
    version: row.version,
    status: row.status,
    done: row.done,
    progress: row.progress,
    startedAt: row.startedAt,
    updatedAt: row.updatedAt,
    statusSince: row.statusSince,
    parked: row.parked,
  };
}

/**
 * An instance with everything.
 *
 * @param parked how many of its events are parked.
 * @param model its model; where that was taken out of the registry, milestones go by their ids.
 * @param now milliseconds since 1970, for what is late.
 */
export function instanceView(
  commit: Head,
  parked: number,
  { entry, pace }: { readonly entry: RegistryEntry | undefined; readonly pace: Pace },
  now: number,
): Answer<'instance'> {
  const milestones = entry?.milestones ?? byTheirIds(commit);
  const { description, startedAt } = commit;
  return {
    ...summaryView(statusRow(commit, parked)),
    milestones: milestoneViews(milestones, description, now),
    eta: etaOf(milestones, description, startedAt, pace, now),
    timers: timerViews(commit),
    state: JSON.parse(commit.state) as unknown,
  };
}

/**
 * An instance as it was at a moment: what was late then is late.
 *
 * @param model its model as it is now; milestones go by its labels, or by their ids.
 */
export function pastView({ commit, at }: Past, model?: RegistryEntry): Answer<'pastInstance'> {
  const { parked: _, ...summary } = summaryView(statusRow(commit));
  const milestones = model?.milestones ?? byTheirIds(commit);
  return {
    ...summary,
    milestones: milestoneViews(milestones, commit.description, Date.parse(at)),
    timers: timerViews(commit),
    state: JSON.parse(commit.state) as unknown,
    asOf: { version: commit.version, at },
  };
}

const timerViews = ({ timers }: Head) => timers.map(({ name, dueAt }) => ({ name, dueAt }));

/** An entry that changed a state. */
export interface SetBy
  extends Pick<Commit, 'version' | 'at' | 'modelVersion'>,
    Pick<Entry, 'event'> {}

/** Which event set each field of a state. */
export function explanationView(
  { commit, at }: Past,
  fields: readonly Field<SetBy>[],
): Answer<'explanation'> {
  return {
    asOf: { version: commit.version, at },
    fields: fields.map(({ path, value, setBy, pathBefore }) => ({
      path: pointerOf(path),
      ...(value === undefined ? { removed: true as const } : { value }),
      setBy: setBy ? setByView(setBy) : null,
      ...(pathBefore && { pathBefore: pointerOf(pathBefore) }),
    })),
  };
}

function setByView({ version, at, modelVersion, event }: SetBy) {
  const { id, source, type, time } = event;
  return { version, at, modelVersion, event: { id, source, type, time } };
}

/**
 * An instance whose very first event is parked, so that it has no state yet.
 *
 * @param since when that event came, RFC 3339 in UTC.
 */
export function parkedView(
  key: InstanceKey,
  parked: number,
  since: string,
  entry: RegistryEntry | undefined,
  now: number,
): Answer<'instance'> {
  const times = { startedAt: since, updatedAt: since, statusSince: since };
  const unknown = {
    version: 0,
    modelVersion: 0,
    status: parkedStatus,
    done: false,
    progress: null,
  };
  const { model, transaction } = key;
  return {
    ...summaryView({
      model,
      transaction,
      ...unknown,
      ...times,
      dueAt: null,
      lateAt: null,
      keys: [],
      parked,
    }),
    milestones: milestoneViews(entry?.milestones ?? [], { status: parkedStatus }, now),
    eta: [],
    timers: [],
    state: null,
  };
}

function byTheirIds({ description }: Head): Milestone[] {
  return (description.milestones ?? []).map(({ id }) => ({ id, label: id }));
}

/** One event of an instance's history, with what became of it. */
export function entryView(commit: Commit, entry: Entry): Answer<'entry'> {
  const { version, modelVersion, at } = commit;
  const { id, source, type, time, replyTo } = entry.event;
  const replyto = replyTo && { replyto: nameOf(replyTo) };
  return {
    version,
    modelVersion,
    at,
    event: { id, source, type, time, ...replyto, data: JSON.parse(entry.data) as unknown },
    outcome: entry.outcome,
    reason: entry.reason,
    status: entry.status,
    state: JSON.parse(entry.state) as unknown,
  };
}

/** A model in a list. */
export function modelView({
  id,
  version,
  title,
  statuses,
  milestones,
  functionArn,
}: RegistryEntry): Answer<'model'> {
  return { id, version, title, statuses, milestones, functionArn };
}

/** A version of a model's code; `current` is the number of the one that runs. */
export function versionView(
  { functionVersion, version, functionArn, registeredAt }: ModelVersion,
  current: string | undefined,
): Answer<'modelVersion'> {
  const isCurrent = functionVersion === current;
  return { functionVersion, version, functionArn, registeredAt, current: isCurrent };
}

/** A model with its event types, its diagram, which is null where it has none, and its pace. */
export function modelDetailView(entry: RegistryEntry, pace: Pace): Answer<'modelDetail'> {
  return {
    ...modelView(entry),
    eventTypes: entry.eventTypes,
    diagram: entry.diagram ?? null,
    steps: stepViews(entry, pace),
  };
}

/** The steps that took place: each milestone's from the one before it, and each status's. */
function stepViews(
  { milestones, statuses }: RegistryEntry,
  pace: Pace,
): Answer<'modelDetail'>['steps'] {
  const seconds = (ms: number) => Math.round(ms) / 1000;
  const times = (step: string) => {
    const known = pace.of(step, 1);
    if (!known) return [];
    const { count, p50, p90 } = known;
    return [{ count: Math.round(count), p50: seconds(p50), p90: seconds(p90) }];
  };
  return {
    milestones: milestones.flatMap(({ id }, index) => {
      const from = milestones[index - 1]?.id ?? null;
      return times(reaching(from, id)).map((each) => ({ from, to: id, ...each }));
    }),
    statuses: statuses.flatMap((status) =>
      times(leaving(status)).map((each) => ({ status, ...each })),
    ),
  };
}

/** A dead letter with its record's bytes in base64. */
export function deadLetterView(letter: DeadLetter): Answer<'deadLetter'> {
  const { id, reason, at, modelId, transactionId, eventId } = letter;
  const raw = Buffer.from(letter.raw).toString('base64');
  return { id, reason, at, modelId, transactionId, eventId, raw };
}

/** How people and logs name an instance. */
export const nameOf = ({ model, transaction }: InstanceKey) => `${model}/${transaction}`;
