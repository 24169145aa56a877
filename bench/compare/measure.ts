import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { busySeconds, load, machine } from '../support/machine.ts';
import { eventsPerInstance, finals, size, type Work } from '../support/work.ts';
import { Meter } from './meter.ts';
import type { Task } from './plan.ts';
import { stateAfter } from './reducer.ts';
import type { Mode, Role, Running } from './side.ts';

/** The result of one run of a workload. */
export interface Measured {
  readonly events: number;
  readonly seconds: number;
  readonly eventsPerSecond: number;
  /** CPU seconds per 1,000 events, by role. */
  readonly cpu: Readonly<Partial<Record<Role, number>>>;
  /** CPU seconds per 1,000 events, in total. */
  readonly cpuOfAll: number;
  readonly peakMegabytes: number;
  /** The machine's load average before the run. */
  readonly load: number;
  /** The average number of cores that other processes used during the run. */
  readonly coresOfOthers: number;
}

/**
 * The minimum number of instances, evenly distributed over the workload, whose final states are verified. If the
 * workload has fewer instances, all are verified.
 */
const spread = 100;
/** The number of instances at the end of the workload whose final states are also verified. */
const last = 20;
const warmUp = 200;
const patienceMs = 300_000;

/**
 * Starts a system, warms it up, and measures how it processes a workload, from the first put until the results are
 * readable.
 */
export async function measure(
  { side, order, mode }: Task,
  folder: string,
  instances: number,
): Promise<Measured> {
  await using running = await side.start(folder);
  const most =
    order === 'hot' ? (side.maximumEventsPerInstance ?? Infinity) / eventsPerInstance : Infinity;
  await doWork(running, { order: 'rounds', instances: warmUp, prefix: 'warm-' }, 'each');
  const work: Work = { order, instances: Math.min(instances, most), prefix: 'T-' };
  const loadBefore = load();
  const busyBefore = busySeconds();
  using meter = new Meter(() => running.processes());
  const started = performance.now();
  await doWork(running, work, mode);
  const seconds = (performance.now() - started) / 1000;
  const { cpuSeconds, peakBytes } = meter.read();
  const events = size(work);
  const used = Object.values(cpuSeconds).reduce((a, b) => a + b, 0);
  const busy = busySeconds() - busyBefore;
  const perThousand = (cpu: number) => (cpu * 1000) / events;
  return {
    events,
    seconds,
    eventsPerSecond: events / seconds,
    cpu: Object.fromEntries(
      Object.entries(cpuSeconds).map(([role, cpu]) => [role, perThousand(cpu)]),
    ),
    cpuOfAll: perThousand(used),
    peakMegabytes: peakBytes / 1_048_576,
    load: loadBefore,
    coresOfOthers: Math.min(machine.cores, Math.max(0, busy - used) / seconds),
  };
}

/** Puts the events and waits until the verified instances have their expected states. */
async function doWork(running: Running, work: Work, mode: Mode): Promise<void> {
  await running.put(work, mode);
  const all = [...finals(work)];
  const step = Math.max(1, Math.floor(all.length / spread));
  const wanted = [...all.slice(-last), ...all.filter((_, i) => i % step === 0)];
  for (const [transaction, count] of wanted) await untilFinal(running, transaction, count);
}

async function untilFinal(running: Running, transaction: string, count: number): Promise<void> {
  const expected = stateAfter(transaction, count);
  const end = Date.now() + patienceMs;
  for (;;) {
    const account = await running.read(transaction);
    if (isDeepStrictEqual(account, expected)) return;
    if (Date.now() > end)
      throw new Error(
        `${transaction} must become ${JSON.stringify(expected)}; it is still ${JSON.stringify(account)}`,
      );
    await pause(50);
  }
}
