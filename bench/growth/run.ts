import { readDefinition } from '../support/definition.ts';
import { type Cell, main, type Section } from '../support/section.ts';
import { type GrowthFigures, growthAt, type Size } from './measure.ts';

/** The numbers of instances and the numbers of previous events per instance to measure. */
export interface GrowthOptions {
  readonly instances?: readonly number[];
  readonly history?: readonly number[];
}

/**
 * The maximum growth of a figure that counts as flat: the fraction by which it exceeds the figure of the smallest size.
 */
const flatWithin = 0.2;

const measured = ['writeUnits', 'readUnits', 'requests', 'cpu', 'wall'] as const;

/** Measures how the resources per event grow with the number of instances and with the length of their histories. */
export async function run({
  instances = [1_000, 10_000, 100_000],
  // After every thousandth event, an instance flushes its fingerprints. These numbers keep all flushes of the instances,
  // which would happen at the same time, out of the measured parts. The measurement of a single instance includes them.
  history = [10, 100, 1_500],
}: GrowthOptions = {}): Promise<Section> {
  const definition = await readDefinition();
  const measureAll = async (sizes: readonly Size[]) => {
    const figures: GrowthFigures[] = [];
    for (const size of sizes) figures.push(await growthAt(definition, size));
    return figures;
  };
  const wide = await measureAll(
    instances.map((count) => ({ instances: count, history: 1, events: 250 })),
  );
  const deep = await measureAll(
    history.map((count) => ({ instances: 100, history: count, events: 1_000 })),
  );
  // The four parts of 2,500 events together are long enough to merge the sorted runs of every level.
  const hot = await measureAll(
    [100, 1_000, 10_000, 100_000].map((count) => ({
      instances: 1,
      history: count,
      events: count < 1_000 ? 200 : 2_500,
      folded: true as const,
    })),
  );
  return {
    title: 'Growth',
    tables: [
      { title: 'Instances', rows: rowsOf(wide, (each) => each.instances) },
      { title: 'Events that an instance has had', rows: rowsOf(deep, (each) => each.history) },
      { title: 'Events that a single instance has had', rows: rowsOf(hot, (each) => each.history) },
    ],
    figures: { instances: wide, history: deep, hot },
    notes: [
      'per event; one event per instance and batch; cpu: ms in dispatcher and model; wall: ms with the embedded DynamoDB, which shares the processor cores',
      `flat: at every size, the figure exceeds that of the smallest size by at most ${100 * flatWithin}%`,
    ],
  };
}

function rowsOf(figures: readonly GrowthFigures[], sizeOf: (each: GrowthFigures) => number) {
  const rows: Record<string, Record<string, Cell>> = {};
  for (const each of figures)
    rows[sizeOf(each).toLocaleString('en')] = Object.fromEntries(
      measured.map((name) => [name, each[name]]),
    );
  rows['flat'] = Object.fromEntries(measured.map((name) => [name, verdict(figures, name)]));
  return rows;
}

function verdict(figures: readonly GrowthFigures[], name: (typeof measured)[number]): string {
  const [first, ...others] = figures.map((each) => each[name]);
  const most = Math.max(...others) / first! - 1;
  return most <= flatWithin ? 'yes' : `no: +${Math.round(100 * most)}%`;
}

if (import.meta.main) await main(() => run());
