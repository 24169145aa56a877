import { type CpuPerEvent, durationsOf } from '../../src/cost/lambda-time.ts';
import { measuredCpu } from '../../src/cost/measured.ts';
import { atFullRate, batchesOf, oneByOne } from '../cost/batches.ts';
import { type Consumption, consumptionOf } from '../cost/measure.ts';
import { type Definition, readDefinition } from '../support/definition.ts';
import { recordsOfWork } from '../support/records.ts';
import { main, type Section } from '../support/section.ts';
import { letterOf, type Order } from '../support/work.ts';
import { simulateIndexKey } from './index-keys.ts';
import { limitsOf } from './limits.ts';
import { quotas } from './quotas.ts';
import { type Outcome, simulate } from './simulate.ts';

export interface ScaleOptions {
  /** The rate in events per second. Default: 100,000. */
  readonly rate?: number;
  readonly shards?: readonly number[];
  readonly cpu?: Readonly<Record<Order, CpuPerEvent>>;
}

const orders = ['rounds', 'bursts'] as const;

/** Computes the rates at which limits are reached, and simulates the load at the given rate. */
export async function run({
  rate = 100_000,
  shards = [110, 125, 150, 200],
  cpu = measuredCpu,
}: ScaleOptions = {}): Promise<Section> {
  const definition = await readDefinition();
  const rows: Record<string, Record<string, number>> = {};
  const limits: Record<string, Record<string, string>> = {};
  const keys: Record<string, Record<string, number>> = {};
  const figures: { order: Order; shards: number; outcome: Outcome }[] = [];
  const latencies: Record<string, Record<string, number>> = {};
  for (const order of orders) {
    const { one, many } = await measuredOf(definition, order);
    for (const { what, eventsPerSecond, toSet } of limitsOf(many))
      limits[`${letterOf[order]}, ${what}`] = {
        'reached at, events per second': Math.round(eventsPerSecond).toLocaleString('en'),
        [`for ${rate.toLocaleString('en')}`]: eventsPerSecond >= rate ? 'suffices' : toSet(rate),
      };
    for (const [name, unitsPerEvent] of Object.entries(many.writeUnits)) {
      const index = /^index (.+)$/.exec(name)?.[1];
      if (index) Object.assign(keys, keyRows(`${letterOf[order]}, ${index}`, unitsPerEvent));
    }
    const durations = durationsBySize(definition, cpu[order], one, many);
    for (const count of shards) {
      const { lanes, batchSize } = definition;
      const load = { rate, shards: count, lanes, batchSize, durations, seconds: 20 };
      const outcome = simulate({ ...load, delivery: 'read' });
      figures.push({ order, shards: count, outcome });
      rows[`${letterOf[order]}, ${count} shards`] = rowOf(outcome);
    }
    for (const delivery of deliveries)
      for (const [name, load] of Object.entries(loads)) {
        const { batchSize } = definition;
        const lanes = delivery === 'read' ? definition.lanes : lanesOfPush;
        const outcome = simulate({ ...load, delivery, lanes, batchSize, durations, seconds: 120 });
        latencies[`${letterOf[order]}, ${name}, ${delivery}`] = latencyRowOf(outcome);
      }
  }
  // The highest load that a model can cause: every event is a separate commit that moves the row within the index.
  Object.assign(keys, keyRows('highest possible', 2));
  return {
    title: 'Beyond one machine',
    tables: [
      { title: 'Limits', rows: limits },
      { title: `${rate.toLocaleString('en')} events per second`, rows },
      { title: 'Index keys, write units per second', rows: keys },
      { title: 'Read and pushed records', rows: latencies },
    ],
    figures,
    notes: [
      `the default quota of an account is ${quotas.lambda.concurrency.toLocaleString('en')} concurrent executions, dispatchers and models together`,
      'the calculation uses 80% of the capacity of the index keys, because keys are never used evenly',
    ],
  };
}

/** Simulates an index key at several rates. The shards of the stream receive 80% of their maximum rate. */
function keyRows(title: string, unitsPerEvent: number): Record<string, Record<string, number>> {
  const isByTransaction = title.endsWith('by-transaction');
  return Object.fromEntries(
    [10_000, 100_000, 1_000_000].map((rate) => {
      const shards = Math.ceil(rate / (0.8 * quotas.kinesis.recordsPerShard));
      const load = simulateIndexKey({ rate, shards, unitsPerEvent, isByTransaction });
      const { partitions, mean, highest } = load;
      return [
        `${title}, ${rate.toLocaleString('en')} events per second`,
        { shards, keys: partitions, 'mean per key': mean, 'maximum per key': highest },
      ];
    }),
  );
}

const deliveries = ['read', 'pushed'] as const;
/** The number of lanes per shard with `lowLatency`: see `deliverRecords`. */
const lanesOfPush = 1;
/** A slow model on the same stream: one in a thousand events takes a second. */
const slow = { share: 0.001, ms: 1_000 };
/** Loads of the four shards of a new on-demand stream. */
const loads = {
  '10 events per second': { rate: 10, shards: 4 },
  '1,000 events per second': { rate: 1_000, shards: 4 },
  '3,000 events per second': { rate: 3_000, shards: 4 },
  '100 events per second with a slow model': { rate: 100, shards: 4, slow },
  '1,000 events per second with a slow model': { rate: 1_000, shards: 4, slow },
};

const latencyRowOf = (outcome: Outcome) => ({
  'events per batch': outcome.eventsPerBatch,
  'lanes busy, %': Math.round(100 * outcome.busy),
  'p50, ms': outcome.latency.p50,
  'p99, ms': outcome.latency.p99,
  'backlog, s': Math.round(10 * outcome.behind) / 10,
});

const rowOf = (outcome: Outcome) => ({
  'events per batch': outcome.eventsPerBatch,
  'batches per second': outcome.invocations,
  'concurrent dispatchers, mean': outcome.dispatchers.mean,
  'concurrent dispatchers, maximum': outcome.dispatchers.most,
  'concurrent models, mean': outcome.models.mean,
  'lanes busy, %': Math.round(100 * outcome.busy),
  'p50, ms': outcome.latency.p50,
  'p99, ms': outcome.latency.p99,
  'backlog, s': Math.round(10 * outcome.behind) / 10,
});

/** Measures the resources per event for batches of one event, and for a shard that receives its maximum rate. */
async function measuredOf(definition: Definition, order: Order) {
  const options = { notifications: true, environments: definition.lanes };
  const { batchSize, lanes } = definition;
  const many = batchesOf(recordsOfWork(order, 2_000), {
    batchSize,
    lanes,
    perRead: atFullRate,
  });
  return {
    one: await consumptionOf(definition, oneByOne(recordsOfWork(order, 50)), options),
    many: await consumptionOf(definition, many, options),
  };
}

/**
 * Interpolates the duration of the functions for a batch size. The number of waits is assumed to grow linearly between
 * the two measured batch sizes.
 */
function durationsBySize(
  { dispatcherMemory, modelMemory }: Definition,
  cpu: CpuPerEvent,
  one: Consumption,
  many: Consumption,
) {
  const slope = (many.roundsPerBatch - one.roundsPerBatch) / (many.eventsPerBatch - 1);
  const memory = { dispatcher: dispatcherMemory, model: modelMemory };
  return (events: number) =>
    durationsOf(cpu, memory, { events, rounds: one.roundsPerBatch + slope * (events - 1) });
}

if (import.meta.main) await main(() => run());
