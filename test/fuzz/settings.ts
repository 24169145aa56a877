import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect } from 'vitest';

/** The seed of the random numbers. A different seed generates different cases. */
export const seed = wholeNumber('MILEPOST_FUZZ_SEED', 20_260_101);
/** The minimum number of records, events, or calls of a fast test. Slower tests use a fraction of this number. */
export const runs = wholeNumber('MILEPOST_FUZZ_RUNS', 10_000);
/** The time limit of a test in milliseconds, which only a test that hangs exceeds. */
export const timeLimit = Math.max(60_000, runs * 20);

/**
 * Checks random cases, which depend only on the seed and the number of runs. Fails with the smallest failing case that
 * was found and the command that repeats it.
 *
 * @param check throws if something is wrong.
 */
export async function fuzz<Case>(
  cases: fc.Arbitrary<Case>,
  numRuns: number,
  check: (one: Case) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(cases, async (one) => {
    // Yield to the event loop so that the timer of the time limit can fire.
    await nextTurn();
    await check(one);
  });
  const details = await fc.check(property, {
    seed,
    numRuns,
    // The time after which a case is considered to hang, in milliseconds.
    timeout: 20_000,
    interruptAfterTimeLimit: timeLimit * 0.8,
    markInterruptAsFailure: true,
  });
  if (!details.failed) return;
  const cause = details.errorInstance;
  const wrong = cause instanceof Error ? cause.message : 'the case took too long';
  const file = expect.getState().testPath?.replace(/^.*\/test\//, 'test/');
  throw new Error(
    [
      wrong.slice(0, 4000),
      `Case ${details.numRuns} of ${numRuns}, shrunk ${details.numShrinks} times:`,
      fc.stringify(details.counterexample).slice(0, 4000),
      'To repeat it:',
      `MILEPOST_FUZZ_SEED=${seed} MILEPOST_FUZZ_RUNS=${runs} npx vitest run ${file}`,
    ].join('\n'),
    { cause },
  );
}

function wholeNumber(name: string, otherwise: number): number {
  const given = process.env[name] || otherwise;
  const value = Number(given);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${name} must be an integer of at least 1; got ${given}`);
}
