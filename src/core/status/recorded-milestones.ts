import type { Description } from '../model/description.ts';

/**
 * Limits the times of a description's reached milestones to the time of the commit. If a milestone has a later time,
 * the producer's clock is ahead, and the milestone counts as reached when the commit was made.
 *
 * @param recordedAt the `at` of the commit with the description, RFC 3339 in UTC.
 */
export function withRecordedMilestones<Described extends Description>(
  description: Described,
  recordedAt: string,
): Described {
  const { milestones } = description;
  const isFuture = (at: string | undefined) =>
    at !== undefined && Date.parse(at) > Date.parse(recordedAt);
  if (!milestones?.some(({ at }) => isFuture(at))) return description;
  return {
    ...description,
    milestones: milestones.map((each) => (isFuture(each.at) ? { ...each, at: recordedAt } : each)),
  };
}
