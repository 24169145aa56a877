import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/common/clock.ts';
import { type RetryOptions, retry } from '../../src/common/retry.ts';

/** Retries work that fails with each of the given messages before it succeeds. Returns the outcome and the delays. */
async function attempted(
  failures: readonly string[],
  pauseAfter: RetryOptions['pauseAfter'] = () => 100,
) {
  const left = [...failures];
  const waits: number[] = [];
  const clock: Clock = { now: () => 0, sleep: async (ms) => void waits.push(ms) };
  const work = async () => {
    const failure = left.shift();
    if (failure !== undefined) throw new Error(failure);
    return 'done';
  };
  const options = { attempts: 3, pauseAfter, clock };
  const outcome = await retry(work, options).catch((error: Error) => error.message);
  return { outcome, waits };
}

describe('retry', () => {
  it('retries after a delay and returns the value of the first success', async () => {
    expect(await attempted(['first', 'second'])).toEqual({ outcome: 'done', waits: [100, 100] });
  });

  it('throws the error from the last attempt', async () => {
    const failures = ['first', 'second', 'third'];
    expect(await attempted(failures)).toEqual({ outcome: 'third', waits: [100, 100] });
  });

  it('does not retry if `pauseAfter` returns no delay', async () => {
    const pauseAfter = (thrown: unknown) =>
      (thrown as Error).message === 'second' ? undefined : 100;
    const failures = ['first', 'second', 'third'];
    expect(await attempted(failures, pauseAfter)).toEqual({ outcome: 'second', waits: [100] });
  });

  it('derives the delay from the error and the number of the attempt', async () => {
    const pauseAfter = (thrown: unknown, attempt: number) =>
      (thrown as Error).message.length * 10 ** attempt;
    const failures = ['first', 'second'];
    expect(await attempted(failures, pauseAfter)).toEqual({ outcome: 'done', waits: [50, 600] });
  });

  it('ends the delay with an error when the signal aborts', async () => {
    const signal = AbortSignal.abort();
    const clock: Clock = { now: () => 0, sleep: async (_, given) => given?.throwIfAborted() };
    const failing = retry(() => Promise.reject(new Error('busy')), {
      attempts: 3,
      pauseAfter: () => 100,
      clock,
      signal,
    });
    await expect(failing).rejects.toThrow(/abort/i);
  });
});
