import type { InferOutput } from 'valibot';
import type { ModelVersion } from '../../core/model/model-version.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import type { StepDurations } from '../../core/status/step-durations.ts';
import { milestoneStep, statusStep } from '../../core/status/step-times.ts';
import type { model, modelDetail, modelVersion } from './model-schemas.ts';

/** Builds the representation of a model in a list. */
export function modelView({
  id,
  version,
  title,
  statuses,
  milestones,
  functionArn,
}: RegistryEntry): InferOutput<typeof model> {
  return { id, version, title, statuses, milestones, functionArn };
}

/** Builds the representation of a version of a model's code. `current` is the function version that is active. */
export function versionView(
  { functionVersion, version, functionArn, registeredAt }: ModelVersion,
  current: string | undefined,
): InferOutput<typeof modelVersion> {
  const isCurrent = functionVersion === current;
  return { functionVersion, version, functionArn, registeredAt, current: isCurrent };
}

/** Builds the representation of a model with its diagram, event types, and step durations. */
export function modelDetailView(
  entry: RegistryEntry,
  stepDurations: StepDurations,
): InferOutput<typeof modelDetail> {
  return {
    ...modelView(entry),
    eventTypes: entry.eventTypes,
    diagram: entry.diagram ?? null,
    ...(entry.labels && { labels: entry.labels }),
    steps: stepViews(entry, stepDurations),
  };
}

/** The number of intervals in a distribution of durations. */
const intervals = 24;

/** Returns the observed durations from each milestone to the next and in each status. */
function stepViews(
  { milestones, statuses }: RegistryEntry,
  stepDurations: StepDurations,
): InferOutput<typeof modelDetail>['steps'] {
  const seconds = (ms: number) => Math.round(ms) / 1000;
  const times = (step: string) => {
    const known = stepDurations.estimate(step, 1);
    const distribution = stepDurations.distribution(step, intervals);
    if (!known || !distribution) return [];
    return [
      {
        count: Math.round(known.count),
        p50: seconds(known.p50),
        p90: seconds(known.p90),
        distribution: {
          upTo: seconds(distribution.upTo),
          shares: distribution.shares.map((share) => Math.round(share * 10_000) / 10_000),
        },
      },
    ];
  };
  return {
    milestones: milestones.flatMap(({ id }, index) => {
      const from = milestones[index - 1]?.id ?? null;
      return times(milestoneStep(from, id)).map((each) => ({ from, to: id, ...each }));
    }),
    statuses: statuses.flatMap((status) =>
      times(statusStep(status)).map((each) => ({ status, ...each })),
    ),
  };
}
