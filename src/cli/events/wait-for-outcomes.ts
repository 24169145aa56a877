import type { CliContext } from '../context.ts';
import type { EventOutcome } from './event-outcome.ts';
import type { EventOutcomes } from './event-outcomes.ts';

const minimumPauseMs = 100;
const maximumPauseMs = 1_000;

/**
 * Waits for the outcomes of sent events. Continues to poll after temporary errors.
 *
 * @param limitMs the timeout in milliseconds, after which requests in progress are aborted and the remaining outcomes
 *   are `unknown`.
 * @yields the outcomes, in the order in which they become known.
 */
export async function* waitForOutcomes(
  outcomes: EventOutcomes,
  limitMs: number,
  wait: CliContext['wait'],
): AsyncGenerator<EventOutcome> {
  const timer = setTimeout(() => outcomes.stop(), limitMs);
  try {
    for (let pauseMs = minimumPauseMs; outcomes.pending > 0; pauseMs = nextPause(pauseMs)) {
      yield* await outcomes.poll();
      if (outcomes.pending > 0) await pause(outcomes, pauseMs, wait);
      if (outcomes.isStopped) yield* outcomes.giveUp();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until the delay has passed or `stop` is called. */
async function pause({ signal }: EventOutcomes, ms: number, wait: CliContext['wait']) {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const nextPause = (pauseMs: number) => Math.min(2 * pauseMs, maximumPauseMs);
