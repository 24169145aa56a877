import { setTimeout as pause } from 'node:timers/promises';
import { load } from '../support/machine.ts';
import { percentile } from '../support/statistics.ts';
import { eventOf, eventsPerInstance, type WorkEvent } from '../support/work.ts';
import type { Options } from './options.ts';
import { shows } from './reducer.ts';
import type { Running, Side } from './side.ts';

/** How long events took from the put until their effects were readable, with the achieved rate and the load. */
export interface Latency {
  readonly samples: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The achieved rate in events per second. The rate is below the target if the machine is too slow. */
  readonly rate: number;
  readonly load: number;
}

/** The interval between puts in milliseconds. Each put contains all events that are due in the interval. */
const tickMs = 20;
/** One in 25 events is measured, because reading the effect of every event would add load. */
const oneIn = 25;
/**
 * The first and the longest wait between reads, in milliseconds. Waits grow so that reads do not slow down the system.
 */
const betweenReads = { first: 5, most: 10, growth: 1.2 };
const patienceMs = 30_000;
const warmUpSeconds = 3;

/** Puts events at a constant rate, one event per second to each instance, and measures the latency of a sample. */
export async function measureLatency(
  side: Side,
  folder: string,
  { rate, seconds }: Pick<Options, 'rate' | 'seconds'>,
): Promise<Latency> {
  await using running = await side.start(folder);
  const perTick = Math.round((rate * tickMs) / 1000);
  const ticks = (seconds: number) => (seconds * 1000) / tickMs;
  const under: Promise<void>[] = [];
  const watch = (promise: Promise<void>) => {
    // The final Promise.all reports failures. Until then, this handler prevents an unhandled rejection.
    promise.catch(() => {});
    under.push(promise);
  };
  const times: number[] = [];
  const loadBefore = load();
  const started = performance.now();
  for (let tick = 0; tick < ticks(warmUpSeconds + seconds); tick++) {
    const early = started + tick * tickMs - performance.now();
    if (early > 0) await pause(early);
    const events = Array.from({ length: perTick }, (_, i) => paced(tick * perTick + i, rate));
    const putAt = performance.now();
    const accepted = put(running, events);
    watch(accepted);
    if (tick < ticks(warmUpSeconds)) continue;
    const sampled = events.filter((_, i) => (tick * perTick + i) % oneIn === 0);
    for (const event of sampled)
      watch(
        accepted
          .then(() => shown(running, event))
          .then(() => void times.push(performance.now() - putAt)),
      );
  }
  const took = (performance.now() - started) / 1000;
  await Promise.all(under);
  return {
    samples: times.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    rate: (ticks(warmUpSeconds + seconds) * perTick) / took,
    load: loadBefore,
  };
}

function put(running: Running, events: readonly WorkEvent[]): Promise<void> {
  if (running.send !== undefined) return running.send(events);
  throw new TypeError('a paced system must implement `send`');
}

/**
 * Returns the nth event, counted from 0. Each instance of a group receives one event per second. When all instances of
 * a group are complete, the next event starts a new group.
 */
function paced(n: number, rate: number): WorkEvent {
  const second = Math.floor(n / rate);
  const group = Math.floor(second / eventsPerInstance);
  return eventOf(`L-${group}-${n % rate}`, second % eventsPerInstance);
}

async function shown(running: Running, event: WorkEvent): Promise<void> {
  const end = Date.now() + patienceMs;
  const { first, most, growth } = betweenReads;
  for (let wait = first; ; wait = Math.min(most, growth * wait)) {
    if (shows(await running.read(event.transactionid), event)) return;
    if (Date.now() > end) throw new Error(`the event ${event.id} did not take effect in time`);
    await pause(wait);
  }
}
