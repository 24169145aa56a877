import { type CpuPerEvent, durationsOf } from '../../src/cost/lambda-time.ts';
import { measuredCpu } from '../../src/cost/measured.ts';
import { atFullRate, batchesOf, oneByOne } from '../cost/batches.ts';
import { type Consumption, consumptionOf } from '../cost/measure.ts';
import { type Definition, readDefinition } from '../support/definition.ts';
import { recordsOfWork } from '../support/records.ts';
import { main, type Section } from '../support/section.ts';
import { letterOf, type Order } from '../support/work.ts';
import { limitsOf } from './limits.ts';
import { quotas } from './quotas.ts';
import { type Outcome, simulate } from './simulate.ts';

/** Configures the simulation. */
export interface ScaleOptions {
  /** Events per second. */
  readonly rate?: number;
  readonly shards?: readonly number[];
  readonly cpu?: Readonly<Record<Order, CpuPerEvent>>;
}

const orders = ['rounds', 'bursts'] as const;

/** Computes the limits and simulates the load at a rate of 100,000 events per second. */
export async function run({
  rate = 100_000,
  shards = [110, 125, 150, 200],
  cpu = measuredCpu,
}: ScaleOptions = {}): Promise<Section> {
  const definition = await readDefinition();
  const rows: Record<string, Record<string, number>> = {};
  const limits: Record<string, Record<string, string>> = {};
  const figures: { order: Order; shards: number; outcome: Outcome }[] = [];
  for (const order of orders) {
    const { one, many } = await measuredOf(definition, order);
    for (const { what, eventsPerSecond, toSet } of limitsOf(many))
      limits[`${letterOf[order]}, ${what}`] = {
        'used up at, events a second': Math.round(eventsPerSecond).toLocaleString('en'),
        [`for ${rate.toLocaleString('en')}`]: eventsPerSecond >= rate ? 'suffices' : toSet(rate),
      };
    const durations = durationsBySize(definition, cpu[order], one, many);
    for (const count of shards) {
      const { lanes, batchSize } = definition;
      const outcome = simulate({ rate, shards: count, lanes, batchSize, durations, seconds: 20 });
      figures.push({ order, shards: count, outcome });
      rows[`${letterOf[order]}, ${count} shards`] = rowOf(outcome);
    }
  }
  return {
    title: 'Beyond one machine',
    tables: [
      { title: 'Limits', rows: limits },
      { title: `${rate.toLocaleString('en')} events a second`, rows },
    ],
    figures,
    notes: [
      `an account starts with ${quotas.lambda.concurrency.toLocaleString('en')} concurrent executions; dispatchers and models count together`,
      'the calculation uses 80% of the capacity of the index keys, because keys are never used evenly',
    ],
  };
}

const rowOf = (outcome: Outcome) => ({
  'events per batch': outcome.eventsPerBatch,
  'batches a second': outcome.invocations,
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
