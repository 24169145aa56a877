import fc from 'fast-check';

/**
 * Property tests use the same random inputs in every run, so a test that starts to fail does so because of a change.
 * `SEED=7 npm test` uses different inputs.
 */
const seed = Number(process.env['SEED'] ?? 1);
if (!Number.isSafeInteger(seed))
  throw new Error(`SEED must be an integer; got ${process.env['SEED']}`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
