import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { messageOf } from '../src/core/errors.ts';
import { compare } from './compare/compare.ts';
import { machine } from './compare/machine.ts';
import { type Options, readOptions } from './compare/options.ts';
import { factsText, jsonOf, latencyTable, legend, workTable } from './compare/report.ts';
import { sides } from './compare/sides.ts';
import { orders } from './compare/work.ts';

/*
 * Milepost beside others, the same work on the same machine: `npm run bench`. Prints tables and
 * writes the figures of each run and their medians as JSON. To try something out:
 * `npm run bench -- --instances 1000 --runs 1 --side milepost --side redis --work hot`.
 */

// Else the programs that are started would outlive this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => process.exit(130));

const options = optionsOrExit();
const found = await compare(sides, options, (line) => process.stderr.write(`${line}\n`));

console.log(
  `${options.instances} instances; medians of ${options.runs} runs; ${machine.cores} cores (${machine.processor}), Node ${machine.node}`,
);
for (const order of orders) {
  const text = workTable(found, order);
  if (text !== undefined) console.log(`\n${text}`);
}
const latencies = latencyTable(found, options.rate);
if (latencies !== undefined) console.log(`\n${latencies}`);
console.log(`\n${legend}\n\nWhat is not equal:\n${factsText(found.sides)}`);
for (const { name, reason } of found.left) console.log(`\nLeft out: ${name}: ${reason}`);

const file = options.json ?? join(import.meta.dirname, '..', 'dist', 'bench', 'compare.json');
await mkdir(dirname(file), { recursive: true });
await writeFile(file, `${JSON.stringify(jsonOf(found, options), null, 2)}\n`);
console.log(`\nAll figures: ${relative('.', file)}`);
// Of what was started, nothing that is left keeps this from ending.
process.exit(found.left.some(({ name }) => name === sides[0]!.name) ? 1 : 0);

function optionsOrExit(): Options {
  try {
    return readOptions(
      process.argv.slice(2),
      sides.map(({ name }) => name),
    );
  } catch (error) {
    console.error(messageOf(error));
    process.exit(2);
  }
}
