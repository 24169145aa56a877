import { median } from '../support/statistics.ts';
import { figure, table } from '../support/table.ts';
import { eventsPerInstance, type Order } from '../support/work.ts';
import type { Found } from './compare.ts';
import type { Measured } from './measure.ts';
import type { Options } from './options.ts';
import { nameOf } from './plan.ts';
import type { Side } from './side.ts';

type Figure = (run: Measured) => number;

const cpu =
  (...roles: (keyof Measured['cpu'])[]): Figure =>
  (run) =>
    roles.reduce((sum, role) => sum + (run.cpu[role] ?? 0), 0);
const rate: Figure = (run) => run.eventsPerSecond;
const app = cpu('app');

/** The columns of a workload's table. CPU is in seconds per 1,000 events. */
const columns: readonly { title: string; of: Figure; beside?: true }[] = [
  { title: 'events/s', of: rate },
  { title: '× Milepost', of: rate, beside: true },
  { title: 'CPU: app', of: app },
  { title: '× Milepost', of: app, beside: true },
  { title: 'source, API', of: cpu('event source', 'other') },
  { title: 'server', of: cpu('server', 'endpoints') },
  { title: 'client', of: cpu('client') },
  { title: 'all', of: (run) => run.cpuOfAll },
  { title: 'peak MB', of: (run) => run.peakMegabytes },
  { title: 'load', of: (run) => run.load },
  { title: 'others, cores', of: (run) => run.coresOfOthers },
];

const titles: Record<Order, string> = {
  rounds: `A, rounds: ${eventsPerInstance} events per instance, in turn`,
  bursts: `B, bursts: ${eventsPerInstance} consecutive events per instance`,
  hot: 'C, hot: all events on one instance',
};

/** The explanation of the columns, which is printed below the tables. */
export const legend =
  'CPU in seconds per 1,000 events. app: the application, or the Lambda functions of the dispatcher and the model. source, API: the process that passes events to these functions and handles reads. server: the database or the endpoints. client: puts events and verifies results. Peak memory excludes the client. load: the one-minute average before the run. others: the number of cores that other programs used during the run.';

const middle = (runs: readonly Measured[], of: Figure) => median(runs.map(of));

/**
 * Formats the medians of a workload's runs and their ratios to Milepost's medians. Returns undefined if there are no
 * runs.
 */
export function workTable({ works }: Found, order: Order): string | undefined {
  const tasks = [...works].filter(([task]) => task.order === order);
  if (tasks.length === 0) return undefined;
  const most = Math.max(...tasks.map(([, runs]) => runs[0]!.events));
  const own = tasks.find(([{ side }]) => side.name === 'milepost')?.[1] ?? [];
  return table(
    [titles[order], ...columns.map(({ title }) => title)],
    tasks.map(([task, runs]) => [
      runs[0]!.events === most ? nameOf(task) : `${nameOf(task)} (${figure(runs[0]!.events)})`,
      ...columns.map(({ of, beside }) =>
        figure(beside ? middle(runs, of) / middle(own, of) : middle(runs, of)),
      ),
    ]),
  );
}

/** Formats the medians of the latencies. Returns undefined if no latency was measured. */
export function latencyTable({ latencies }: Found, eventsPerSecond: number): string | undefined {
  if (latencies.size === 0) return undefined;
  return table(
    [`put to readable, ${eventsPerSecond} events/s`, 'p50 ms', 'p99 ms', 'samples per run', 'load'],
    Array.from(latencies, ([{ name }, runs]) => [
      name,
      ...(['p50Ms', 'p99Ms', 'samples', 'load'] as const).map((key) =>
        figure(median(runs.map((run) => run[key]))),
      ),
    ]),
  );
}

/** Formats the facts of all systems as a list. */
export const factsText = (sides: readonly Side[]): string =>
  sides
    .map(({ name, facts }) =>
      [name, ...Object.entries(facts).map(([what, fact]) => `  ${what}: ${fact}`)].join('\n'),
    )
    .join('\n');

/** Returns all runs and their medians as JSON. */
export function jsonOf(found: Found, { instances, runs, rate: eventsPerSecond }: Options): object {
  return {
    instances,
    runs,
    works: Array.from(found.works, ([task, measured]) => ({
      work: task.order,
      side: task.side.name,
      mode: task.mode,
      medians: {
        eventsPerSecond: middle(measured, rate),
        appCpuSecondsPer1000: middle(measured, app),
        allCpuSecondsPer1000: middle(measured, (run) => run.cpuOfAll),
        peakMegabytes: middle(measured, (run) => run.peakMegabytes),
      },
      runs: measured,
    })),
    latencies: Array.from(found.latencies, ([{ name }, measured]) => ({
      side: name,
      eventsPerSecond,
      medians: {
        p50Ms: median(measured.map((run) => run.p50Ms)),
        p99Ms: median(measured.map((run) => run.p99Ms)),
      },
      runs: measured,
    })),
    facts: Object.fromEntries(found.sides.map(({ name, facts }) => [name, facts])),
    left: found.left,
  };
}
