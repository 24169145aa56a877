import { quotas } from './quotas.ts';

/** The load on a stream and the configuration of its consumers. */
export interface Load {
  /** Events per second, over all shards. */
  readonly rate: number;
  readonly shards: number;
  /** `read`: Lambda reads each shard once a second. `pushed`: Kinesis pushes the records. */
  readonly delivery: 'read' | 'pushed';
  /** The number of concurrent batches per shard. */
  readonly lanes: number;
  readonly batchSize: number;
  /** The duration of each function for a batch of the given size, in milliseconds. */
  readonly durations: (events: number) => { readonly dispatcher: number; readonly model: number };
  /** The fraction of slow events, and how long the model takes for a batch with a slow event, in milliseconds. */
  readonly slow?: { readonly share: number; readonly ms: number };
  /** How long the simulated load lasts, in seconds. */
  readonly seconds: number;
}

/** The results of a simulation. */
export interface Outcome {
  readonly eventsPerBatch: number;
  /** The number of invocations of each function per second. */
  readonly invocations: number;
  /** The number of concurrent executions of the dispatcher. */
  readonly dispatchers: { readonly mean: number; readonly most: number };
  readonly models: { readonly mean: number };
  /** The average fraction of time that a lane spends running batches. */
  readonly busy: number;
  /** The time from put to commit, in milliseconds. Slow events are excluded. */
  readonly latency: { readonly p50: number; readonly p99: number };
  /**
   * The backlog at the end, divided by the rate, in seconds. If the lanes are too slow, the backlog grows without
   * limit.
   */
  readonly behind: number;
}

const bucket = 10;

/** An event on a shard. All times are in milliseconds since the start. */
interface ShardEvent {
  readonly putAt: number;
  /** When Lambda receives the event. */
  readonly deliveredAt: number;
  readonly isSlow: boolean;
}

/**
 * Simulates the processing of a stream. Events arrive at random times. Lambda receives the events of a shard in order
 * and distributes them over the lanes. Each lane runs one batch at a time.
 */
export function simulate(load: Load): Outcome {
  const random = generator(1);
  const end = load.seconds * 1_000;
  const running = new Int32Array(end / bucket + 2);
  const latencies: number[] = [];
  let [batches, events, dispatching, modeling, waiting] = [0, 0, 0, 0, 0];
  for (let shard = 0; shard < load.shards; shard++) {
    const lanes = Array.from({ length: load.lanes }, () => [] as ShardEvent[]);
    for (const event of eventsOfShard(load, end, random))
      lanes[Math.floor(random() * lanes.length)]!.push(event);
    for (const lane of lanes) {
      let next = 0;
      let free = 0;
      while (next < lane.length) {
        const start = Math.max(free, lane[next]!.deliveredAt);
        if (start >= end) break;
        const limit = Math.min(lane.length, next + load.batchSize);
        let last = next + 1;
        while (last < limit && lane[last]!.deliveredAt <= start) last += 1;
        const batch = lane.slice(next, last);
        next = last;
        const { dispatcher, model } = durationOf(load, batch);
        free = start + dispatcher;
        for (const { putAt, isSlow } of batch) if (!isSlow) latencies.push(free - putAt);
        batches += 1;
        events += batch.length;
        dispatching += dispatcher;
        modeling += model;
        mark(running, start, free);
      }
      waiting += lane.slice(next).filter(({ deliveredAt }) => deliveredAt < end).length;
    }
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

function durationOf({ durations, slow }: Load, batch: readonly ShardEvent[]) {
  const usual = durations(batch.length);
  if (!slow || !batch.some(({ isSlow }) => isSlow)) return usual;
  const model = Math.max(usual.model, slow.ms);
  return { model, dispatcher: usual.dispatcher - usual.model + model };
}

/** Generates the events of a shard at random times, in stream order. */
function eventsOfShard(
  { rate, shards, slow, delivery }: Load,
  end: number,
  random: () => number,
): ShardEvent[] {
  const { readEvery, pushDelay } = quotas.kinesis;
  const phase = random() * readEvery;
  const spread = Math.log(pushDelay.p99 / pushDelay.p50) / deviationsToP99;
  const delivered = (putAt: number) =>
    delivery === 'read'
      ? phase + Math.ceil(Math.max(0, putAt - phase) / readEvery) * readEvery
      : putAt + pushDelay.p50 * Math.exp(spread * normal(random));
  let latest = 0;
  return Array.from({ length: poisson((rate / shards) * (end / 1_000), random) }, () => random())
    .toSorted((a, b) => a - b)
    .map((share) => {
      const putAt = share * end;
      latest = Math.max(latest, delivered(putAt));
      return { putAt, deliveredAt: latest, isSlow: slow !== undefined && random() < slow.share };
    });
}

/** The distance of the 99th percentile from the median of a normal distribution, in standard deviations. */
const deviationsToP99 = 2.326;

/** Records an execution between two times as changes in the number of concurrent executions. */
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

/** Samples a Poisson distribution with a large mean, approximated by a normal distribution. */
function poisson(mean: number, random: () => number): number {
  return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
}

/** Samples the standard normal distribution. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
