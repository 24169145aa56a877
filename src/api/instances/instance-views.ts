import type { InferOutput } from 'valibot';
import { latenessSince } from '../../core/deadline/lateness.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Head, PastInstance } from '../../core/history/commit.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import type { Milestone } from '../../core/model/description.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { etaOf } from '../../core/status/eta.ts';
import { milestoneViews } from '../../core/status/milestones.ts';
import { withRecordedMilestones } from '../../core/status/recorded-milestones.ts';
import {
  parkedRow,
  parkedStatus,
  type StatusRow,
  statusRow,
} from '../../core/status/status-row.ts';
import type { StepDurations } from '../../core/status/step-durations.ts';
import type { ParkedEvent } from '../../parking/parking-store.ts';
import type { instance, pastInstance, summary } from './instance-schemas.ts';
import type { ParkedEvents } from './read-parked.ts';

/**
 * Builds the representation of an instance in a list.
 *
 * @param now the time that determines whether the instance is late or at risk, in milliseconds since 1970.
 */
export function summaryView(row: StatusRow, now: number): InferOutput<typeof summary> {
  const risk = riskView(row, now);
  return {
    model: row.model,
    modelVersion: row.modelVersion,
    transaction: row.transaction,
    version: row.version,
    status: row.status,
    done: row.done,
    progress: row.progress,
    // If an instance has no commits, `startedAt` in its row is the arrival time of its oldest parked event.
    startedAt: row.version === 0 ? null : row.startedAt,
    updatedAt: row.updatedAt,
    statusSince: row.statusSince,
    parked: row.parked,
    ...(row.keys.length > 0 && { keys: [...row.keys] }),
    ...(risk ? { risk } : {}),
  };
}

function riskView(
  { lateAt, lateMilestone, riskAt, riskMilestone }: StatusRow,
  now: number,
): InferOutput<typeof summary>['risk'] {
  if (lateAt !== null && Date.parse(lateAt) < now)
    return {
      state: 'late',
      milestone: lateMilestone,
      since: lateAt,
      lateBy: latenessSince(lateAt, now),
    };
  if (riskAt !== null && Date.parse(riskAt) < now)
    return { state: 'at-risk', milestone: riskMilestone, since: riskAt };
  return undefined;
}

/**
 * Builds the representation of an instance.
 *
 * @param found the latest commit and the queue of parked events.
 * @returns undefined if the instance has neither commits nor parked events.
 */
export function viewOfInstance(
  key: InstanceKey,
  { commit, parked }: { readonly commit?: Head; readonly parked: ParkedEvents },
  model: ModelFacts,
  now: number,
): InferOutput<typeof instance> | undefined {
  if (commit) return instanceView(commit, parked, model, now);
  const { count, oldest } = parked;
  return oldest && parkedView(key, { count, oldest }, model.entry, now);
}

/** The data about an instance's model that its representation shows. */
interface ModelFacts {
  /** The model's entry in the registry; undefined if the model was removed. */
  readonly entry: RegistryEntry | undefined;
  readonly stepDurations: StepDurations;
}

/**
 * Builds the representation of an instance that has a state. If its model was removed from the registry, milestone ids
 * serve as labels.
 *
 * @param now the time that determines which milestones are late, in milliseconds since 1970.
 */
function instanceView(
  commit: Head,
  parked: ParkedEvents,
  { entry, stepDurations }: ModelFacts,
  now: number,
): InferOutput<typeof instance> {
  const milestones = entry?.milestones ?? milestonesWithoutLabels(commit);
  const { startedAt } = commit;
  const description = withRecordedMilestones(commit.description, commit.at);
  const eta = etaOf(milestones, description, startedAt, stepDurations, now);
  return {
    ...summaryView(statusRow(commit, parked.count), now),
    ...referenceView(commit),
    ...(parked.oldest && { oldestParked: oldestParkedView(parked.oldest) }),
    milestones: milestoneViews(milestones, description, now),
    ...(eta.length > 0 && { eta }),
    timers: timerViews(commit),
    state: parseJson(commit.state),
  };
}

/**
 * Builds the representation of an instance at a moment in the past.
 *
 * @param asOf the moment, which also determines which milestones are shown as late.
 * @param model the current model, for the milestones' labels; if undefined, milestone ids serve as labels.
 */
export function pastView(
  commit: PastInstance,
  asOf: InferOutput<typeof pastInstance>['asOf'],
  model?: RegistryEntry,
): InferOutput<typeof pastInstance> {
  const now = Date.parse('at' in asOf ? asOf.at : asOf.eventTime);
  const { parked: _, ...summary } = summaryView(statusRow(commit), now);
  const milestones = model?.milestones ?? milestonesWithoutLabels(commit);
  const description = withRecordedMilestones(commit.description, commit.at);
  return {
    ...summary,
    ...referenceView(commit),
    milestones: milestoneViews(milestones, description, now),
    timers: timerViews(commit),
    state: parseJson(commit.state),
    asOf,
  };
}

const referenceView = ({ description: { reference } }: PastInstance) =>
  reference === undefined ? {} : { reference };

const oldestParkedView = ({ event, reason, at }: ParkedEvent) => ({
  eventId: event.id,
  reason,
  at,
});

const timerViews = ({ timers }: PastInstance) => timers.map(({ name, dueAt }) => ({ name, dueAt }));

/** Builds the representation of an instance that has no state because its first event is parked. */
function parkedView(
  key: InstanceKey,
  { count, oldest }: ParkedEvents & { readonly oldest: ParkedEvent },
  entry: RegistryEntry | undefined,
  now: number,
): InferOutput<typeof instance> {
  return {
    ...summaryView(parkedRow(key, oldest.at, count), now),
    oldestParked: oldestParkedView(oldest),
    milestones: milestoneViews(entry?.milestones ?? [], { status: parkedStatus }, now),
    timers: [],
    state: null,
  };
}

function milestonesWithoutLabels({ description }: PastInstance): Milestone[] {
  return (description.milestones ?? []).map(({ id }) => ({ id, label: id }));
}
