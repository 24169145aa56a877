import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect } from 'vitest';

/** Where the random numbers start; another one makes other cases. */
export const seed = wholeNumber('MILEPOST_FUZZ_SEED', 20_260_101);
/** How many records, events or calls a test makes at the least. */
export const runs = wholeNumber('MILEPOST_FUZZ_RUNS', 10_000);
/** How long a test may take in milliseconds: so long that only a hang takes longer. */
export const timeLimit = Math.max(60_000, runs * 20);

/**
 * Checks so many cases, always the same ones for the same seed and runs. It
 * fails with the smallest case that it finds to fail, and how to repeat it.
 *
 * @param check throws when something is wrong.
 */
export async function fuzz<Case>(
  cases: fc.Arbitrary<Case>,
  numRuns: number,
  check: (one: Case) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(cases, async (one) => {
    // What waits for nothing but memory would let no timer come to its turn.
    await nextTurn();
    await check(one);
  });
  const details = await fc.check(property, {
    seed,
    numRuns,
    // One case that takes so long hangs.
    timeout: 20_000,
    interruptAfterTimeLimit: timeLimit * 0.8,
    markInterruptAsFailure: true,
  });
  if (!details.failed) return;
  const cause = details.errorInstance;
  const wrong = cause instanceof Error ? cause.message : 'it took too long';
  const file = expect.getState().testPath?.replace(/^.*\/test\//, 'test/');
  throw new Error(
    [
      wrong.slice(0, 4000),
      `Case ${details.numRuns} of ${numRuns}, made ${details.numShrinks} times smaller:`,
      fc.stringify(details.counterexample).slice(0, 4000),
      'To repeat it:',
      `MILEPOST_FUZZ_SEED=${seed} MILEPOST_FUZZ_RUNS=${runs} npx vitest run ${file}`,
    ].join('\n'),
    { cause },
  );
}

function wholeNumber(name: string, otherwise: number): number {
  const value = Number(process.env[name] || otherwise);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${name} must be a whole number from 1`);
}
