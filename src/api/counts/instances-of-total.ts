/**
 * Converts a total to the number of instances to show, at least 0. A total can briefly be negative because a counter's
 * partitions are not read at the same time.
 */
export const instancesOfTotal = (total = 0): number => Math.max(0, total);
