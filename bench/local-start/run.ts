import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '../support/machine.ts';
import { main, type Section } from '../support/section.ts';
import { median } from '../support/statistics.ts';
import { createCheckout } from './checkout.ts';
import { measureStart, type StartFigures } from './measure-start.ts';

/** The options of the measurement: the number of starts of each kind, and when each idle service is measured. */
export interface LocalStartOptions {
  readonly runs?: number;
  readonly settleMs?: number;
  readonly measureMs?: number;
}

const kinds = {
  'first start': 'the first start after `npm ci`: no compiled code, no data folder',
  'new data folder': 'a start with compiled code, without a data folder',
  'changed sources': 'a start after the sources have changed, which synthesizes the template again',
  'later start': 'a start with the data of the previous start',
} as const;
type Kind = keyof typeof kinds;

/** Measures the start, the first status, and the idle resources of the local service. */
export async function run({
  runs = 3,
  settleMs = 30_000,
  measureMs = 20_000,
}: LocalStartOptions = {}): Promise<Section> {
  const figures: Record<Kind, (StartFigures & { load: number })[]> = {
    'first start': [],
    'new data folder': [],
    'changed sources': [],
    'later start': [],
  };
  for (let index = 0; index < runs; index++) {
    await using checkout = await createCheckout();
    for (const kind of Object.keys(kinds) as Kind[]) {
      if (kind === 'new data folder')
        await rm(join(checkout.folder, '.milepost'), { recursive: true });
      if (kind === 'changed sources')
        await rm(join(checkout.folder, 'dist', 'assemblies'), { recursive: true });
      const loadBefore = load();
      const found = await measureStart(checkout, { settleMs, measureMs });
      figures[kind].push({ ...found, load: loadBefore });
    }
  }
  const middle = (kind: Kind, value: (each: StartFigures & { load: number }) => number) =>
    median(figures[kind].map(value));
  const names = [
    ...new Set(
      Object.values(figures)
        .flat()
        .flatMap((each) => Object.keys(each.idleByProcess)),
    ),
  ];
  const mb = (bytes: number) => bytes / 1024 / 1024;
  return {
    title: 'Start of the local service',
    tables: [
      {
        title: 'start',
        rows: Object.fromEntries(
          (Object.keys(kinds) as Kind[]).map((kind) => [
            kind,
            {
              'ready, ms': middle(kind, ({ readyMs }) => readyMs),
              'its CPU time, ms': middle(kind, ({ readyCpuMs }) => readyCpuMs),
              'first status, ms': middle(kind, ({ firstStatusMs }) => firstStatusMs),
              'its CPU time, ms ': middle(kind, ({ firstStatusCpuMs }) => firstStatusCpuMs),
              'idle MB': mb(middle(kind, ({ idleBytes }) => idleBytes)),
              'idle CPU, %': middle(kind, ({ idlePercent }) => idlePercent),
              load: middle(kind, (each) => each.load),
            },
          ]),
        ),
      },
      {
        title: 'idle process, MB',
        rows: Object.fromEntries(
          names.map((name) => [
            name,
            Object.fromEntries(
              (Object.keys(kinds) as Kind[]).map((kind) => [
                kind,
                mb(middle(kind, ({ idleByProcess }) => idleByProcess[name] ?? 0)),
              ]),
            ),
          ]),
        ),
      },
    ],
    figures,
    notes: [
      `medians of ${runs} starts; idle: from ${settleMs / 1000} s after the first status, for ${measureMs / 1000} s`,
      ...Object.entries(kinds).map(([kind, text]) => `${kind}: ${text}`),
    ],
  };
}

if (import.meta.main) await main(() => run());
