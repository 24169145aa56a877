import type { InferOutput } from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Head } from '../../core/history/commit.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import type { Milestone } from '../../core/model/description.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { etaOf } from '../../core/status/eta.ts';
import { milestoneViews } from '../../core/status/milestones.ts';
import { parkedStatus, type StatusRow, statusRow } from '../../core/status/status-row.ts';
import type { StepDurations } from '../../core/status/step-durations.ts';
import type { instance, pastInstance, summary } from './instance-schemas.ts';
import type { InstanceAtMoment } from './read-at-moment.ts';

/** Builds the representation of an instance in a list. */
export function summaryView(row: StatusRow): InferOutput<typeof summary> {
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
 * Builds the representation of a complete instance.
 *
 * @param parked the number of the instance's parked events.
 * @param entry the model; undefined if it was removed from the registry. Milestone ids then serve as labels.
 * @param now determines which milestones are late, in milliseconds since 1970.
 */
export function instanceView(
  commit: Head,
  parked: number,
  {
    entry,
    stepDurations,
  }: { readonly entry: RegistryEntry | undefined; readonly stepDurations: StepDurations },
  now: number,
): InferOutput<typeof instance> {
  const milestones = entry?.milestones ?? milestonesWithoutLabels(commit);
  const { description, startedAt } = commit;
  return {
    ...summaryView(statusRow(commit, parked)),
    milestones: milestoneViews(milestones, description, now),
    eta: etaOf(milestones, description, startedAt, stepDurations, now),
    timers: timerViews(commit),
    state: parseJson(commit.state),
  };
}

/**
 * Builds the representation of an instance at a moment in the past. That moment determines which milestones are late.
 *
 * @param model the current model, for the labels of milestones. If it is undefined, milestone ids serve as labels.
 */
export function pastView(
  { commit, at }: InstanceAtMoment,
  model?: RegistryEntry,
): InferOutput<typeof pastInstance> {
  const { parked: _, ...summary } = summaryView(statusRow(commit));
  const milestones = model?.milestones ?? milestonesWithoutLabels(commit);
  return {
    ...summary,
    milestones: milestoneViews(milestones, commit.description, Date.parse(at)),
    timers: timerViews(commit),
    state: parseJson(commit.state),
    asOf: { version: commit.version, at },
  };
}

const timerViews = ({ timers }: Head) => timers.map(({ name, dueAt }) => ({ name, dueAt }));

/**
 * Builds the representation of an instance that has no state because its first event is parked.
 *
 * @param since when that event was parked, RFC 3339 in UTC.
 */
export function parkedView(
  key: InstanceKey,
  parked: number,
  since: string,
  entry: RegistryEntry | undefined,
  now: number,
): InferOutput<typeof instance> {
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

function milestonesWithoutLabels({ description }: Head): Milestone[] {
  return (description.milestones ?? []).map(({ id }) => ({ id, label: id }));
}
