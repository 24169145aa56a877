import { type Dollars, dollarsOf, totalOf } from '../../src/cost/dollars.ts';
import { type CpuPerEvent, type Durations, durationsOf } from '../../src/cost/lambda-time.ts';
import { measuredCpu } from '../../src/cost/measured.ts';
import { type Definition, readDefinition } from '../support/definition.ts';
import { recordsOfWork } from '../support/records.ts';
import { main, type Section } from '../support/section.ts';
import { letterOf, type Order } from '../support/work.ts';
import { atFullRate, backlog, batchesOf, oneByOne, unfolded } from './batches.ts';
import { type Consumption, consumptionOf } from './measure.ts';

/** What the figures rest on. */
export interface CostOptions {
  /** How many instances there are in A and B; C has as many events. */
  readonly instances?: number;
  /** Of a processor of this machine; what was measured last if not given. */
  readonly cpu?: Readonly<Record<Order, CpuPerEvent>>;
}

/** How the events of a work come in. */
interface Case {
  readonly order: Order;
  readonly how: 'waiting' | 'second by second' | 'one an instance and batch' | 'one a batch';
}

const cases: readonly Case[] = [
  { order: 'rounds', how: 'waiting' },
  { order: 'rounds', how: 'second by second' },
  { order: 'rounds', how: 'one a batch' },
  { order: 'bursts', how: 'waiting' },
  { order: 'bursts', how: 'second by second' },
  { order: 'bursts', how: 'one an instance and batch' },
  { order: 'hot', how: 'waiting' },
  { order: 'hot', how: 'second by second' },
  { order: 'hot', how: 'one an instance and batch' },
];

/** One case's result. */
export interface CostFigures extends Case {
  readonly consumption: Consumption;
  readonly durations: Durations;
  readonly dollars: Dollars;
  readonly total: number;
  readonly totalWithoutNotifications: number;
}

/** What an event costs, in units, requests, bytes and dollars. */
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
          'events a batch': consumption.eventsPerBatch,
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
          'bytes, all of them': Object.values(bytes).reduce((sum, each) => sum + each, 0),
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
      `batches of up to ${definition.batchSize}, ${definition.lanes} at once for a shard, no window, as the template has it; "waiting": all events are there when the shard is read; "second by second": 1,000 come each second, as many as a shard takes`,
      `the model has ${definition.lanes} warm environments, and any of them takes a batch`,
      'Lambda: processor time measured on this machine at the share that the memory gives, and 5 ms for each round of requests',
      '"all" has the stream on demand, at 1,000 events a second; bytes kept cost $0.25 per GB and month, and $0.20 with their backup; KMS, the registry (one read in 5 s for each dispatcher) and the clock are below a cent',
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
      // As many as there are batches of a shard at once.
      environments: definition.lanes,
      before,
    });
    const { perEvent, roundsPerBatch: rounds, eventsPerBatch: events } = consumption;
    const unfoldedOrder = each.how === 'one an instance and batch' ? 'rounds' : each.order;
    const durations = durationsOf(cpu[unfoldedOrder], memory, { events, rounds });
    const dollars = dollarsOf(perEvent, durations, memory);
    return { consumption, durations, dollars, total: totalOf(dollars) };
  };
  const { total: totalWithoutNotifications } = await billed(false);
  return { ...each, ...(await billed(true)), totalWithoutNotifications };
}

function batchesFor({ batchSize, lanes }: Definition, { order, how }: Case, instances: number) {
  // One by one they take long, and are all the same: fewer do.
  const few = how === 'one a batch' || (order === 'hot' && how === 'one an instance and batch');
  if (few) {
    // The hot instance has more behind it than it remembers, as it would have after 50,000.
    const hot = recordsOfWork('hot', 500);
    const before = order === 'hot' ? batchesOf(hot, { batchSize, lanes, perRead: backlog }) : [];
    const all = recordsOfWork(order, order === 'hot' ? 700 : 400);
    return { batches: oneByOne(order === 'hot' ? all.slice(hot.length) : all), before };
  }
  const records = recordsOfWork(order, instances);
  if (how === 'one an instance and batch') return { batches: unfolded(records, batchSize) };
  const perRead = how === 'waiting' ? backlog : atFullRate;
  return { batches: batchesOf(records, { batchSize, lanes, perRead }) };
}

/** The kinds of write units, under shorter names. */
function short(units: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(units).map(([name, each]) => [name.toLowerCase(), each]),
  );
}

if (import.meta.main) await main(() => run());
