import { latenessAt } from '../deadline/lateness.ts';
import type { Description, MilestoneProgress } from '../model/description.ts';

/**
 * The changes that a commit makes to its instance's description. A commit stores them because they depend on the
 * previous description.
 */
export interface DescriptionChanges {
  /** The previous status; omitted up to and including the commit that starts the instance. */
  readonly from?: string;
  /** The ids of the milestones that were reached. */
  readonly reached?: readonly string[];
  /** The ids of the milestones that became at risk. */
  readonly atRisk?: readonly string[];
  /** The ids of the milestones that became late, or that turned out to have been reached late. */
  readonly late?: readonly string[];
  /** The ids of the milestones that were late or had been reached late, but no longer count as late. */
  readonly lateCleared?: readonly string[];
  /** True if the commit ended the process. */
  readonly done?: true;
}

/**
 * Returns the changes between two descriptions of an instance. If `before` is undefined, everything in `after` counts
 * as new.
 */
export function compareDescriptions(
  before: Description | undefined,
  after: Description,
): DescriptionChanges {
  const known = new Map(before?.milestones?.map((milestone) => [milestone.id, milestone]));
  const now = after.milestones ?? [];
  const idsOf = (
    name: 'reached' | 'atRisk' | 'late' | 'lateCleared',
    isChange: (now: MilestoneProgress, known: MilestoneProgress | undefined) => unknown,
  ): DescriptionChanges => {
    const changed = now.filter((each) => isChange(each, known.get(each.id)));
    return changed.length > 0 ? { [name]: changed.map(({ id }) => id) } : {};
  };
  return {
    ...(before ? { from: before.status } : {}),
    ...idsOf('reached', (each, was) => each.at !== undefined && was?.at === undefined),
    ...idsOf('atRisk', (each, was) => each.atRisk && !each.late && !was?.atRisk && !was?.late),
    ...idsOf('late', (each, was) => (each.late && !was?.late) || isLateAfterwards(each, was)),
    ...idsOf('lateCleared', (each, was) => was && isReportedLate(was) && !isReportedLate(each)),
    ...(after.done && !before?.done ? { done: true } : {}),
  };
}

/**
 * Returns true if a milestone that appeared to have been reached on time turned out to have been reached late, for
 * example, because another event shortened its deadline. The `MilestoneReached` notification did not report this
 * milestone as late.
 */
const isLateAfterwards = (now: MilestoneProgress, was: MilestoneProgress | undefined) =>
  was?.at !== undefined && now.at !== undefined && !isReportedLate(was) && isReportedLate(now);

/**
 * Returns true if a notification has reported a milestone as late: `MilestoneLate`, or `MilestoneReached` with
 * `lateBy`.
 */
const isReportedLate = ({ at, expectedBy, late }: MilestoneProgress) =>
  late === true || (at !== undefined && latenessAt(expectedBy, at) !== undefined);
