import {
  type FireTimersDependencies,
  type FireTimersResult,
  fireTimers,
  joinResults,
} from './fire-timers.ts';

/**
 * The maximum clock difference between the function and the sender of a wake-up, in milliseconds. Times further in the
 * future are ignored.
 */
const maximumEarly = 5_000;

/**
 * Fires the due timers at each of the given times. Waits for times that are up to five seconds in the future. All times
 * in the past share one run.
 *
 * @param times in milliseconds since 1970.
 * @param deadline when to stop, in milliseconds since 1970. The remaining timers fire in a later run.
 */
export async function fireAt(
  dependencies: FireTimersDependencies,
  times: readonly number[],
  deadline: number,
): Promise<FireTimersResult> {
  const { clock } = dependencies;
  const results: FireTimersResult[] = [];
  let firedAt = Number.NEGATIVE_INFINITY;
  for (const time of times.toSorted((a, b) => a - b)) {
    const early = time - clock.now();
    if (time <= firedAt || early > maximumEarly || clock.now() >= deadline) continue;
    if (early > 0) await clock.sleep(early);
    firedAt = clock.now();
    results.push(await fireTimers(dependencies, deadline));
  }
  return joinResults(results);
}
