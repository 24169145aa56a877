import { numberOrExit, optionsOrExit } from '../support/options-or-exit.ts';
import { soak } from './soak.ts';

const usage = 'usage: npm run soak -- [--seed N] [--minutes N]';
/** The maximum number of findings to print. */
const maximumShown = 30;

const values = optionsOrExit(
  { seed: { type: 'string' }, minutes: { type: 'string', default: '10' } },
  usage,
);
const randomSeed = String(Math.floor(Math.random() * 1_000_000));
const seed = numberOrExit('seed', values.seed ?? randomSeed, 'an integer', usage);
const minutes = numberOrExit('minutes', values.minutes, 'greater than 0', usage);
// The service stops by itself when its parent exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const again = `npm run soak -- --seed ${seed} --minutes ${minutes}`;
console.log(`seed ${seed}, ${minutes} minutes; to repeat the run: ${again}`);
const { findings, folder, counts } = await soak(seed, minutes, console.log);
for (const [what, times] of Object.entries(counts))
  console.log(`${String(times).padStart(10)} ${what}`);
for (const finding of findings.slice(0, maximumShown)) console.log(`  ${finding.slice(0, 2_000)}`);
if (findings.length > maximumShown) console.log(`  and ${findings.length - maximumShown} more`);
if (folder) console.log(`the log and the data of the service: ${folder}`);
console.log(
  findings.length > 0 ? `seed ${seed} failed; to repeat the run: ${again}` : `seed ${seed} passed`,
);
process.exitCode = findings.length > 0 ? 1 : 0;
