import { figure } from '../support/table.ts';
import { withFolder } from './folder.ts';
import { type Latency, measureLatency } from './latency.ts';
import { type Measured, measure } from './measure.ts';
import type { Options } from './options.ts';
import { nameOf, plan, type Task } from './plan.ts';
import type { Side } from './side.ts';

/** The results of a comparison. */
export interface Found {
  /** The selected systems that can run on this machine. */
  readonly sides: readonly Side[];
  readonly works: ReadonlyMap<Task, readonly Measured[]>;
  readonly latencies: ReadonlyMap<Side, readonly Latency[]>;
  /** The systems that cannot run on this machine and the tasks that failed, each with the reason. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
}

/** Measures the tasks one at a time. Every run measures each task once, except tasks that failed in an earlier run. */
export async function compare(
  all: readonly Side[],
  options: Options,
  log: (line: string) => void,
): Promise<Found> {
  const left: { name: string; reason: string }[] = [];
  const leave = (name: string, reason: string) => {
    left.push({ name, reason });
    log(`${name} is skipped: ${reason}`);
  };
  const sides: Side[] = [];
  for (const side of all) {
    if (options.sides.size > 0 && !options.sides.has(side.name)) continue;
    const reason = await side.missing();
    if (reason === undefined) sides.push(side);
    else leave(side.name, reason);
  }
  const works = new Map(plan(sides, options.works).map((task) => [task, [] as Measured[]]));
  const latencies = new Map<Side, Latency[]>();
  if (options.works.size === 0 || options.works.has('latency'))
    for (const side of sides) if (side.paced) latencies.set(side, []);

  for (let run = 1; run <= options.runs; run++) {
    for (const [task, runs] of works) {
      const name = `${task.order}, ${nameOf(task)}`;
      try {
        const one = await withFolder((folder) => measure(task, folder, options.instances));
        runs.push(one);
        log(`${run}: ${name}: ${figure(one.eventsPerSecond)} events/s`);
      } catch (error) {
        works.delete(task);
        leave(name, String(error));
      }
    }
    for (const [side, runs] of latencies) {
      const name = `latency, ${side.name}`;
      try {
        const one = await withFolder((folder) => measureLatency(side, folder, options));
        runs.push(one);
        log(`${run}: ${name}: p50 ${figure(one.p50Ms)} ms, p99 ${figure(one.p99Ms)} ms`);
      } catch (error) {
        latencies.delete(side);
        leave(name, String(error));
      }
    }
  }
  return { sides, works, latencies, left };
}
