import { type Dollars, dollarsOf, totalOf } from '../../src/cost/dollars.ts';
import { type CpuPerEvent, type Durations, durationsOf } from '../../src/cost/lambda-time.ts';
import { measuredCpu } from '../../src/cost/measured.ts';
import { type Definition, readDefinition } from '../support/definition.ts';
import { recordsOfWork } from '../support/records.ts';
import { main, type Section } from '../support/section.ts';
import { letterOf, type Order } from '../support/work.ts';
import { atFullRate, backlog, batchesOf, oneByOne, unfolded } from './batches.ts';
import { type Consumption, consumptionOf } from './measure.ts';

export interface CostOptions {
  /** The number of instances in the workloads `A` and `B`. Workload `C` has the same number of events. */
  readonly instances?: number;
  /** The CPU time per event on this machine. Default: the stored figures of the latest measurement. */
  readonly cpu?: Readonly<Record<Order, CpuPerEvent>>;
}

/** A workload and the arrival pattern of its events. */
interface Case {
  readonly order: Order;
  readonly how: 'waiting' | 'second by second' | 'one per instance and batch' | 'one per batch';
}

const cases: readonly Case[] = [
  { order: 'rounds', how: 'waiting' },
  { order: 'rounds', how: 'second by second' },
  { order: 'rounds', how: 'one per batch' },
  { order: 'bursts', how: 'waiting' },
  { order: 'bursts', how: 'second by second' },
  { order: 'bursts', how: 'one per instance and batch' },
  { order: 'hot', how: 'waiting' },
  { order: 'hot', how: 'second by second' },
  { order: 'hot', how: 'one per instance and batch' },
];

/** The measured and computed figures of a case. */
export interface CostFigures extends Case {
  readonly consumption: Consumption;
  readonly durations: Durations;
  readonly dollars: Dollars;
  readonly total: number;
  readonly totalWithoutNotifications: number;
}

/** Measures the cost of an event in DynamoDB units, requests, bytes, and dollars. */
export async function run({
  instances = 10_000,
  cpu = measuredCpu,
}: CostOptions = {}): Promise<Section> {
  const definition = await readDefinition();
  const figures: CostFigures[] = [];
  for (const each of cases) figures.push(await figuresOf(definition, each, instances, cpu));
  const byCase = (row: (each: CostFigures) => Record<string, number>) =>
    Object.fromEntries(figures.map((each) => [`${letterOf[each.order]}, ${each.how}`, row(each)]));
  return {
    title: 'Cost',
    tables: [
      {
        title: 'Per event',
        rows: byCase(({ consumption }) => ({
          'events per batch': consumption.eventsPerBatch,
          'write units': consumption.perEvent.writeUnits,
          ...short(consumption.writeUnits),
          'read units': consumption.perEvent.readUnits,
          'bus events': consumption.perEvent.busEvents,
          'rounds a batch': consumption.roundsPerBatch,
          'bytes kept': consumption.stored,
        })),
      },
      {
        title: 'Requests per event',
        rows: byCase(({ consumption: { requests, bytes } }) => ({
          ...requests,
          'bytes, total': Object.values(bytes).reduce((sum, each) => sum + each, 0),
        })),
      },
      {
        title: 'Dollars per million events',
        rows: byCase(({ dollars, total, totalWithoutNotifications }) => ({
          DynamoDB: dollars.dynamoDb,
          Lambda: dollars.lambda,
          'its logs': dollars.logs,
          'Kinesis on demand': dollars.kinesisOnDemand,
          'Kinesis, full shards': dollars.kinesisProvisioned,
          'notification stream': dollars.notificationStream,
          publisher: dollars.publisher,
          EventBridge: dollars.eventBridge,
          'all, no notifications': totalWithoutNotifications,
          all: total,
        })),
      },
    ],
    figures,
    notes: [
      `batches of up to ${definition.batchSize}, ${definition.lanes} concurrent batches per shard, no batching window, as in the template; "waiting": all events wait when the shard is read; "second by second": 1,000 events arrive per second, the limit of a shard`,
      `the model has ${definition.lanes} warm environments, and any of them handles a batch`,
      'Lambda: CPU time measured on this machine, scaled to the CPU share of the memory size, plus 5 ms per round of requests',
      '"all" includes the on-demand stream at 1,000 events per second; stored bytes cost $0.25 per GB and month, plus $0.20 for their backup; KMS, the registry (one read per 5 s and dispatcher), and the clock cost less than one cent',
    ],
  };
}

async function figuresOf(
  definition: Definition,
  each: Case,
  instances: number,
  cpu: Readonly<Record<Order, CpuPerEvent>>,
): Promise<CostFigures> {
  const { batches, before } = batchesFor(definition, each, instances);
  const memory = { dispatcher: definition.dispatcherMemory, model: definition.modelMemory };
  const billed = async (notifications: boolean) => {
    const consumption = await consumptionOf(definition, batches, {
      notifications,
      // The model has one environment per concurrent batch of a shard.
      environments: definition.lanes,
      before,
    });
    const { perEvent, roundsPerBatch: rounds, eventsPerBatch: events } = consumption;
    const unfoldedOrder = each.how === 'one per instance and batch' ? 'rounds' : each.order;
    const durations = durationsOf(cpu[unfoldedOrder], memory, { events, rounds });
    const dollars = dollarsOf(perEvent, durations, memory);
    return { consumption, durations, dollars, total: totalOf(dollars) };
  };
  const { total: totalWithoutNotifications } = await billed(false);
  return { ...each, ...(await billed(true)), totalWithoutNotifications };
}

function batchesFor({ batchSize, lanes }: Definition, { order, how }: Case, instances: number) {
  // Batches of one event are slow to measure and cost the same, so fewer of them are sufficient.
  const few = how === 'one per batch' || (order === 'hot' && how === 'one per instance and batch');
  if (few) {
    // First, apply enough events to the hot instance that its latest commit no longer contains all fingerprints, like
    // that of an instance with 50,000 events.
    const hot = recordsOfWork('hot', 500);
    const before = order === 'hot' ? batchesOf(hot, { batchSize, lanes, perRead: backlog }) : [];
    const all = recordsOfWork(order, order === 'hot' ? 700 : 400);
    return { batches: oneByOne(order === 'hot' ? all.slice(hot.length) : all), before };
  }
  const records = recordsOfWork(order, instances);
  if (how === 'one per instance and batch') return { batches: unfolded(records, batchSize) };
  const perRead = how === 'waiting' ? backlog : atFullRate;
  return { batches: batchesOf(records, { batchSize, lanes, perRead }) };
}

/** Converts the names of write units to lowercase for the table. */
function short(units: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(units).map(([name, each]) => [name.toLowerCase(), each]),
  );
}

if (import.meta.main) await main(() => run());
