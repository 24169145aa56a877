import { quotas } from './quotas.ts';

/** The load on a stream and the configuration of its consumers. */
export interface Load {
  /** Events per second of all shards together. */
  readonly rate: number;
  readonly shards: number;
  /** Concurrent batches per shard. */
  readonly lanes: number;
  readonly batchSize: number;
  /** The duration of the functions for a batch of the given size, in milliseconds. */
  readonly durations: (events: number) => { readonly dispatcher: number; readonly model: number };
  /** The simulated time in seconds. */
  readonly seconds: number;
}

/** The results of a simulation. */
export interface Outcome {
  readonly eventsPerBatch: number;
  /** Invocations of each function per second. */
  readonly invocations: number;
  /** Concurrent executions. */
  readonly dispatchers: { readonly mean: number; readonly most: number };
  readonly models: { readonly mean: number };
  /** The mean share of the time that a lane spends running batches. */
  readonly busy: number;
  /** From put to commit, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number };
  /**
   * The backlog at the end, divided by the rate, in seconds. If the lanes are too slow, the backlog grows without
   * limit.
   */
  readonly behind: number;
}

const bucket = 10;

/**
 * Simulates the processing of a stream. Events arrive at random times. Lambda reads each shard once per second, at
 * different times for different shards, and distributes the records over the lanes. Each lane runs one batch at a time.
 */
export function simulate(load: Load): Outcome {
  const random = generator(1);
  const end = load.seconds * 1_000;
  const perShard = load.rate / load.shards;
  const running = new Int32Array(end / bucket + 2);
  const latencies: number[] = [];
  let [batches, events, dispatching, modeling, waiting] = [0, 0, 0, 0, 0];
  for (let shard = 0; shard < load.shards; shard++) {
    const lanes = Array.from({ length: load.lanes }, () => ({ free: 0, queue: [] as number[] }));
    const phase = random() * quotas.kinesis.readEvery;
    for (let read = phase; read < end; read += quotas.kinesis.readEvery) {
      const since = Math.max(0, read - quotas.kinesis.readEvery);
      const came = poisson((perShard * (read - since)) / 1_000, random);
      const times = Array.from({ length: came }, () => since + random() * (read - since));
      for (const time of times.toSorted((a, b) => a - b))
        lanes[Math.floor(random() * lanes.length)]!.queue.push(time);
      for (const lane of lanes) {
        while (lane.queue.length > 0) {
          const start = Math.max(lane.free, read);
          if (start >= read + quotas.kinesis.readEvery) break;
          const batch = lane.queue.splice(0, load.batchSize);
          const { dispatcher, model } = load.durations(batch.length);
          lane.free = start + dispatcher;
          for (const time of batch) latencies.push(lane.free - time);
          batches += 1;
          events += batch.length;
          dispatching += dispatcher;
          modeling += model;
          mark(running, start, lane.free);
        }
      }
    }
    waiting += lanes.reduce((sum, { queue }) => sum + queue.length, 0);
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return {
    eventsPerBatch: events / batches,
    invocations: batches / load.seconds,
    dispatchers: { mean: dispatching / end, most: highest(running) },
    models: { mean: modeling / end },
    busy: dispatching / end / (load.shards * load.lanes),
    latency: { p50: at(0.5), p99: at(0.99) },
    behind: waiting / load.rate,
  };
}

/** Adds an execution between two times to the changes of the number of concurrent executions. */
function mark(running: Int32Array, from: number, to: number): void {
  const last = running.length - 1;
  running[Math.min(last, Math.floor(from / bucket))]! += 1;
  running[Math.min(last, Math.floor(to / bucket) + 1)]! -= 1;
}

function highest(changes: Int32Array): number {
  let [now, most] = [0, 0];
  for (const change of changes.subarray(0, -1)) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** Creates a deterministic generator of pseudorandom numbers from 0 (inclusive) to 1 (exclusive). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Samples a Poisson distribution, approximated by a normal distribution for large means. */
function poisson(mean: number, random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
}
