import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type CpuCase, cpuOf } from '../cpu/measure.ts';
import { type Definition, readDefinition } from '../support/definition.ts';
import { main, type Section } from '../support/section.ts';
import { eventsPerInstance } from '../support/work.ts';
import { microsecondsByArea } from './areas.ts';
import { flameGraph } from './flame-graph.ts';

export interface ProfileOptions {
  /** The number of instances in the workloads `A` and `B`. Workload `C` has the same number of events. */
  readonly instances?: number;
  /** The folder to which the flame graphs are written. */
  readonly folder?: string;
}

const quiet = { folding: 'as it comes', notifications: false, environments: 1 } as const;

/** The profiled workloads, by the file name of their flame graphs. */
const cases: Readonly<
  Record<string, CpuCase & { readonly title: string; readonly fewer?: number }>
> = {
  'a-rounds': { ...quiet, title: 'A', order: 'rounds' },
  'b-bursts': { ...quiet, title: 'B', order: 'bursts' },
  'c-hot': { ...quiet, title: 'C', order: 'hot' },
  // Each event invokes both functions, so a tenth of the events is sufficient.
  'one-event-per-batch': {
    ...quiet,
    title: 'A, one event per batch',
    order: 'rounds',
    folding: 'one per batch',
    fewer: 10,
  },
};

const inRepository = join(import.meta.dirname, '..', '..', 'dist', 'bench', 'flame-graphs');

/** Profiles the dispatcher and the model runtime, and writes a flame graph for each workload. */
export async function run({
  instances = 2_000,
  folder = inRepository,
}: ProfileOptions = {}): Promise<Section> {
  const definition = await readDefinition();
  await mkdir(folder, { recursive: true });
  const rows: Record<string, Record<string, number>> = {};
  const files: string[] = [];
  for (const [name, each] of Object.entries(cases)) {
    const file = join(folder, `${name}.svg`);
    rows[each.title] = await profile(definition, each, { instances, file });
    files.push(relative('.', file));
  }
  return {
    title: 'CPU time by activity',
    tables: [{ title: 'µs per event', rows: turned(rows) }],
    figures: rows,
    notes: [
      `${instances} instances, one profiled run; the profiler slows the code down, so only the shares are meaningful, not the sums`,
      'requests: only the time when a core is busy, without waiting',
      `flame graphs: ${files.join(', ')}`,
    ],
  };
}

async function profile(
  definition: Definition,
  { title, fewer = 1, ...each }: (typeof cases)[string],
  { instances, file }: { instances: number; file: string },
): Promise<Record<string, number>> {
  const some = Math.ceil(instances / fewer);
  const { callTrees } = await cpuOf(definition, each, { instances: some, profiled: true });
  const [dispatcher, model] = callTrees!;
  await writeFile(
    file,
    flameGraph(`Milepost, ${title}`, { dispatcher: dispatcher!, model: model! }),
  );
  return microsecondsByArea(callTrees!, some * eventsPerInstance);
}

/** Swaps rows and columns so that each area is a row. */
function turned(columns: Readonly<Record<string, Record<string, number>>>) {
  const areas = [...new Set(Object.values(columns).flatMap((column) => Object.keys(column)))];
  return Object.fromEntries(
    areas.map((area) => [
      area,
      Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[area]!])),
    ]),
  );
}

if (import.meta.main) await main(() => run());
