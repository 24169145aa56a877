import type { Description } from '../model/description.ts';

/**
 * The changes that a commit makes to the description of its instance. They cannot be derived from the commit alone.
 */
export interface DescriptionChanges {
  /** The previous status; omitted for the commit that starts the instance. */
  readonly from?: string;
  /** The ids of the milestones that were reached. */
  readonly reached?: readonly string[];
  /** The ids of the milestones that became late. */
  readonly late?: readonly string[];
  /** True if the commit ended the process. */
  readonly done?: true;
}

/** Compares two descriptions of an instance. */
export function compareDescriptions(
  before: Description | undefined,
  after: Description,
): DescriptionChanges {
  const known = new Map(before?.milestones?.map((milestone) => [milestone.id, milestone]));
  const now = after.milestones ?? [];
  const reached = now.filter(({ id, at }) => at !== undefined && known.get(id)?.at === undefined);
  const late = now.filter(({ id, late: isLate }) => isLate && !known.get(id)?.late);
  return {
    ...(before ? { from: before.status } : {}),
    ...(reached.length > 0 ? { reached: reached.map(({ id }) => id) } : {}),
    ...(late.length > 0 ? { late: late.map(({ id }) => id) } : {}),
    ...(after.done && !before?.done ? { done: true } : {}),
  };
}
