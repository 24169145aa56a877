import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
  },
});
const from = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count)) {
  console.error('usage: npm run simulate -- [--seeds N] [--from N] | --seed N [--trace]');
  process.exit(2);
}

/** So many findings of a seed are shown. */
const mostShown = 20;
const started = Date.now();
const totals = new Map<string, number>();
let failed = 0;
for (let seed = from; seed < from + count; seed++) {
  const run = await simulate(seed, {}, values.trace ? console.log : undefined);
  const { findings, counts } = run;
  for (const [what, times] of counts) totals.set(what, (totals.get(what) ?? 0) + times);
  if (count === 1) console.log(`the final tables: ${run.digest}`);
  if (findings.length > 0) {
    failed++;
    console.log(`seed ${seed} failed; again: npm run simulate -- --seed ${seed}`);
    for (const finding of findings.slice(0, mostShown)) console.log(`  ${finding}`);
    if (findings.length > mostShown) console.log(`  and ${findings.length - mostShown} more`);
  }
  const done = seed - from + 1;
  if (done % 500 === 0) console.error(`${done} of ${count} seeds, ${failed} failed`);
}
for (const [what, times] of [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${String(times).padStart(10)} ${what}`);
const seconds = ((Date.now() - started) / 1000).toFixed(1);
console.log(`${count} seeds in ${seconds} s, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
