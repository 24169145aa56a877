import { type Definition, readDefinition } from '../support/definition.ts';
import { main, type Section } from '../support/section.ts';
import { median } from '../support/statistics.ts';
import { letterOf } from '../support/work.ts';
import { type CpuCase, type CpuRun, cpuOf } from './measure.ts';
import { type CallNode, type Owner, timeByOwner } from './profile.ts';

export interface CpuOptions {
  /** The number of instances in the workloads `A` and `B`. Workload `C` has the same number of events. */
  readonly instances?: number;
  /** The number of runs per case. */
  readonly runs?: number;
}

/** The result of a case: medians in milliseconds per event. */
export interface CpuFigures extends CpuCase, Omit<CpuRun, 'callTrees'> {
  /** Each owner's fraction of the running time. */
  readonly shares: Partial<Record<Owner, number>>;
}

const quiet = { folding: 'as it comes', notifications: false, environments: 1 } as const;

const cases: readonly (CpuCase & { readonly fewer?: number })[] = [
  { ...quiet, order: 'rounds' },
  { ...quiet, order: 'rounds', environments: 4 },
  { ...quiet, order: 'rounds', notifications: true },
  { ...quiet, order: 'bursts' },
  { ...quiet, order: 'bursts', notifications: true },
  { ...quiet, order: 'hot' },
  // Each event invokes both functions, so a tenth of the events is sufficient.
  { ...quiet, order: 'hot', folding: 'one per batch', fewer: 10 },
];

/** Measures the CPU time of the dispatcher and the model runtime. */
export async function run({ instances = 2_000, runs = 3 }: CpuOptions = {}): Promise<Section> {
  const definition = await readDefinition();
  const figures: CpuFigures[] = [];
  for (const { fewer = 1, ...each } of cases)
    figures.push(await figuresOf(definition, each, Math.ceil(instances / fewer), runs));
  return {
    title: 'CPU time',
    tables: [
      {
        title: 'ms per event',
        rows: Object.fromEntries(
          figures.map((each) => [
            nameOf(each),
            {
              'dispatcher and model': each.dispatcher + each.model,
              dispatcher: each.dispatcher,
              model: each.model,
              ...percent(each.shares),
              'from first to last': each.wall,
              'memory, MB': each.memory / 2 ** 20,
              'by the document client': each.reference,
            },
          ]),
        ),
      },
    ],
    figures,
    notes: [
      `${instances} instances, median of ${runs} runs; dispatcher and model in separate processes, endpoints in others that are not counted; the shares come from another run with a profiler`,
      'AWS SDK: including the Node.js code that it calls; Node.js: other work, such as handling socket events',
      'by the document client: the CPU time of one read and one conditional write through the AWS SDK in the same minute; if it exceeds 0.7 ms, the machine is slow or busy, and all figures are higher accordingly',
    ],
  };
}

async function figuresOf(
  definition: Definition,
  each: CpuCase,
  instances: number,
  runs: number,
): Promise<CpuFigures> {
  const all: CpuRun[] = [];
  for (let run = 0; run < runs; run++) all.push(await cpuOf(definition, each, { instances }));
  const { callTrees } = await cpuOf(definition, each, { instances, profiled: true });
  const middle = (value: (run: CpuRun) => number) => median(all.map(value));
  return {
    ...each,
    dispatcher: middle(({ dispatcher }) => dispatcher),
    model: middle(({ model }) => model),
    wall: middle(({ wall }) => wall),
    memory: middle(({ memory }) => memory),
    reference: middle(({ reference }) => reference),
    shares: sharesOf(callTrees!),
  };
}

function sharesOf(trees: readonly CallNode[]): Partial<Record<Owner, number>> {
  const sums = new Map<Owner, number>();
  for (const [owner, time] of trees.flatMap((tree) => [...timeByOwner(tree)]))
    sums.set(owner, (sums.get(owner) ?? 0) + time);
  const all = [...sums.values()].reduce((sum, each) => sum + each, 0);
  return Object.fromEntries([...sums].map(([owner, time]) => [owner, time / all]));
}

function nameOf({ order, folding, notifications, environments }: CpuCase): string {
  const how = folding === 'as it comes' ? '' : `, ${folding}`;
  const where = environments === 1 ? '' : `, ${environments} environments`;
  return `${letterOf[order]}${how}${where}${notifications ? ', with notifications' : ''}`;
}

const percent = (shares: CpuFigures['shares']) =>
  Object.fromEntries(
    Object.entries(shares).map(([owner, share]) => [`% ${owner}`, Math.round(100 * share)]),
  );

if (import.meta.main) await main(() => run());
