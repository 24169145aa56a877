/** The number of repetitions of slow work, to reduce the influence of other processes. */
const tries = 8;

/**
 * The minimum duration of some work, in milliseconds of CPU time of this thread, which other programs
 * hardly affect. Work that takes less than `enough` runs once.
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
