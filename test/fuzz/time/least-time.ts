/** How often something that takes long is done again: what else the machine does then slows it down less. */
const tries = 8;

/**
 * The least time that some work takes, in milliseconds of this thread on a processor: what other programs
 * do counts for little. Work that is done sooner than `enough` is done once.
 */
export function leastTime(enough: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && least > enough; count++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
