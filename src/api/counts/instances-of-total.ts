/**
 * Converts a total to the number of instances to show, at least 0. A total can be negative for a moment, because the
 * partitions of a counter are not read at the same time.
 */
export const instancesOfTotal = (total = 0): number => Math.max(0, total);
