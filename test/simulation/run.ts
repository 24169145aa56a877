import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { numberOrExit, optionsOrExit } from '../support/options-or-exit.ts';
import { runSeeds, type Seeds, type Summary } from './run-seeds.ts';

const usage =
  'usage: npm run simulate -- [--seeds N] [--from N] [--jobs N] | --seed N [--trace]\n' +
  '  --jobs: how many threads share the seeds; 1 by default';

if (isMainThread) await main();
else parentPort!.postMessage(await runSeeds(workerData as Seeds));

async function main(): Promise<void> {
  const values = optionsOrExit(
    {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '1' },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
    },
    usage,
  );
  const numberOf = (name: string, text: string) =>
    numberOrExit(name, text, 'a positive integer', usage);
  const { seed } = values;
  const from = seed === undefined ? numberOf('from', values.from) : numberOf('seed', seed);
  const count = seed === undefined ? numberOf('seeds', values.seeds) : 1;
  const jobs = Math.min(numberOf('jobs', values.jobs), count);
  const started = Date.now();
  const trace = values.trace ? console.log : undefined;
  const summaries =
    jobs === 1
      ? [await runSeeds({ from, count, step: 1 }, trace)]
      : await Promise.all(
          Array.from({ length: jobs }, (_, n) =>
            inThread({ from: from + n, count: Math.ceil((count - n) / jobs), step: jobs }),
          ),
        );
  const totals = new Map<string, number>();
  for (const [what, times] of summaries.flatMap((each) => [...each.totals]))
    totals.set(what, (totals.get(what) ?? 0) + times);
  for (const [what, times] of [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(times).padStart(10)} ${what}`);
  const failed = summaries.reduce((sum, each) => sum + each.failed, 0);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${count} seeds in ${seconds} s, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Runs seeds in a separate thread, because a run replaces `Math.random`. */
async function inThread(seeds: Seeds): Promise<Summary> {
  const thread = new Worker(new URL(import.meta.url), { workerData: seeds });
  const [summary] = (await once(thread, 'message')) as [Summary];
  return summary;
}
