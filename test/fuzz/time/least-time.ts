/** The maximum number of times that work is run, to reduce the influence of other processes. */
const tries = 8;

/**
 * Returns the minimum CPU time that this thread needs for some work, in milliseconds. Other programs hardly affect CPU
 * time. The work is not repeated after it has taken at most `enough` milliseconds.
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

/** Returns the CPU time that JSON.parse takes for ordinary JSON of 256 KB, in milliseconds: a measure of the machine. */
export function ordinaryTime(): number {
  const json = JSON.stringify(Array.from({ length: 10_000 }, (_, n) => ({ id: n, name: 'item' })));
  const repetitions = 200;
  const parseOften = () => {
    for (let n = 0; n < repetitions; n++) JSON.parse(json);
  };
  return leastTime(0, parseOften) / repetitions;
}
