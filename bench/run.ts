import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { messageOf } from '../src/common/message-of.ts';
import { run as budget } from './budget/run.ts';
import { run as coldStart } from './cold-start/run.ts';
import { compare } from './compare/compare.ts';
import { type Options, readOptions } from './compare/options.ts';
import { factsText, jsonOf, latencyTable, legend, workTable } from './compare/report.ts';
import { sides } from './compare/sides.ts';
import { run as cost } from './cost/run.ts';
import { run as cpu } from './cpu/run.ts';
import { run as growth } from './growth/run.ts';
import { run as localStart } from './local-start/run.ts';
import { run as parking } from './parking/run.ts';
import { run as profile } from './profile/run.ts';
import { run as scale } from './scale/run.ts';
import { run as signing } from './signing/run.ts';
import { machine } from './support/machine.ts';
import { machineText, toMarkdown } from './support/section.ts';
import { orders } from './support/work.ts';

/*
 * Measures Milepost's cost and resources, and compares Milepost with other systems on the same workloads and machine.
 * Prints tables and writes all figures to a JSON file. Usage: `npm run bench`, or, for example, `npm run bench --
 * --section compare --instances 1000 --runs 1 --side milepost --work hot` for part of the measurements.
 */

// Without these handlers, child processes would outlive this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(130));

const own = {
  budget: () => budget(),
  cost,
  'cold-start': () => coldStart(),
  cpu,
  'local-start': ({ runs }: Options['asked']) => localStart({ ...(runs && { runs }) }),
  growth: ({ instances: n }: Options['asked']) =>
    growth(n ? { instances: [Math.ceil(n / 10), n, n * 10] } : {}),
  profile: ({ instances }: Options['asked']) => profile({ ...(instances && { instances }) }),
  signing: () => signing(),
  scale: () => scale(),
  // `--section parking --events 100000 --runs 1` measures a long queue of parked events.
  parking: ({ events, runs }: Options['asked']) =>
    parking({ ...(events && { events }), ...(runs && { runs }) }),
};
const options = optionsOrExit();
const wanted = (name: string) => options.sections.size === 0 || options.sections.has(name);
const figures: Record<string, unknown> = { at: new Date().toISOString(), machine };
let complete = true;

console.log(machineText());
for (const [name, run] of Object.entries(own)) {
  if (!wanted(name)) continue;
  const section = await run(options.asked);
  console.log(`\n${toMarkdown(section)}\n\n${machineText()}`);
  figures[name] = section.figures;
}
if (wanted('compare')) figures['compare'] = await compareAll();

const file = options.json ?? join(import.meta.dirname, '..', 'dist', 'bench', 'figures.json');
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`);
console.log(`\nAll figures: ${relative('.', file)}`);
// Exit even if child processes are still running.
process.exit(complete ? 0 : 1);

async function compareAll(): Promise<object> {
  const found = await compare(sides, options, (line) => process.stderr.write(`${line}\n`));
  console.log(`\n## Comparison\n\n${options.instances} instances; medians of ${options.runs} runs`);
  for (const order of orders) {
    const text = workTable(found, order);
    if (text !== undefined) console.log(`\n${text}`);
  }
  const latencies = latencyTable(found, options.rate);
  if (latencies !== undefined) console.log(`\n${latencies}`);
  console.log(`\n${legend}\n\nDifferences:\n${factsText(found.sides)}`);
  for (const { name, reason } of found.left) console.log(`\nSkipped: ${name}: ${reason}`);
  complete = found.left.every(({ name }) => name !== sides[0]!.name);
  return jsonOf(found, options);
}

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2), {
      sides: sides.map(({ name }) => name),
      sections: [...Object.keys(own), 'compare'],
    });
  } catch (error) {
    console.error(messageOf(error));
    process.exit(2);
  }
}
