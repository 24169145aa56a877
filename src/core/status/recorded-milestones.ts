import type { Description } from '../model/description.ts';

/**
 * Limits the times of the reached milestones of a description to the time at which Milepost recorded it: the milestone of
 * an event from the future was reached by then.
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
