import fc from 'fast-check';

/**
 * Property tests use the same random inputs in every run, so that a red test is due to the change. Other inputs:
 * `SEED=7 npm test`.
 */
const seed = Number(process.env['SEED'] ?? 1);
if (!Number.isSafeInteger(seed))
  throw new Error(`SEED must be an integer; got ${process.env['SEED']}`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
