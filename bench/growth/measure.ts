import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import { inChunks } from '../../src/common/chunks.ts';
import { unfolded } from '../cost/batches.ts';
import { MeteredTracker } from '../cost/metered-tracker.ts';
import { RunningTracker } from '../cpu/running-tracker.ts';
import type { Definition } from '../support/definition.ts';
import { recordsOf } from '../support/records.ts';
import { median } from '../support/statistics.ts';
import { eventOf, transactionOf } from '../support/work.ts';

/** The size of a measurement: the data that exists before it, and the number of events that it measures. */
export interface Size {
  readonly instances: number;
  /** The number of previous events per instance. */
  readonly history: number;
  /** True if the previous events were applied in full batches. By default, each commit contains one event. */
  readonly folded?: true;
  /**
   * The number of events per measured part. If all parts together have fewer events than there are instances, each
   * instance receives at most one event.
   */
  readonly events: number;
}

/** The resources that an event requires at a given size. */
export interface GrowthFigures extends Size {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly requests: number;
  /** The CPU time of the dispatcher and the model, in milliseconds. */
  readonly cpu: number;
  /** The elapsed time with the embedded DynamoDB, in milliseconds. */
  readonly wall: number;
}

/** The number of parts whose times are measured. An additional part runs first so that Node.js compiles the code. */
const parts = 3;

const named = { prefix: 'ATV-' };
const surroundings = { notifications: false, environments: 4 };

/**
 * Measures the resources per event with a given amount of existing data. Batches contain at most one event per
 * instance.
 */
export async function growthAt(definition: Definition, size: Size): Promise<GrowthFigures> {
  const { batchSize } = definition;
  const metered = new MeteredTracker(definition, surroundings);
  const before = recordsOf(earlier(size));
  const past = size.folded ? inChunks(before, batchSize) : unfolded(before, batchSize);
  for (const batch of past) await metered.deliver(batch);
  const items = metered.items();
  const next = Array.from({ length: parts + 1 }, (_, part) =>
    unfolded(recordsOf(further(size, part), before.length + part * size.events), batchSize),
  );
  metered.reset();
  await deliverAll(metered, next);
  const { writeUnits, readUnits, requests } = metered.meter;
  const events = next.flat(2).length;
  return {
    ...size,
    writeUnits: writeUnits.total() / events,
    readUnits: readUnits.total() / events,
    requests: requests.total('DynamoDB') / events,
    ...(await timeOf(definition, items, next)),
  };
}

async function timeOf(
  definition: Definition,
  items: Parameters<RunningTracker['fill']>[0],
  next: readonly ShardRecord[][][],
): Promise<{ cpu: number; wall: number }> {
  const tracker = await RunningTracker.start(definition, surroundings);
  try {
    await tracker.fill(items);
    const times: { cpu: number; wall: number }[] = [];
    for (const part of next) {
      const before = await tracker.use();
      const began = performance.now();
      await deliverAll(tracker, [part]);
      const wall = performance.now() - began;
      const after = await tracker.use();
      const cpu = after.dispatcher + after.model - before.dispatcher - before.model;
      const events = part.flat().length;
      times.push({ cpu: cpu / events, wall: wall / events });
    }
    const warm = times.slice(1);
    return {
      cpu: median(warm.map(({ cpu }) => cpu)),
      wall: median(warm.map(({ wall }) => wall)),
    };
  } finally {
    await tracker.stop();
  }
}

async function deliverAll(
  tracker: Pick<MeteredTracker, 'deliver'>,
  parted: readonly ShardRecord[][][],
): Promise<void> {
  for (const batch of parted.flat()) await tracker.deliver(batch);
}

function* earlier({ instances, history }: Size) {
  for (let number = 0; number < history; number++)
    for (let each = 0; each < instances; each++) yield eventOf(transactionOf(named, each), number);
}

/** Yields the next events of evenly distributed instances. */
function* further({ instances, history, events }: Size, part: number) {
  for (let count = 0; count < events; count++) {
    const sequence = part * events + count;
    // The step is coprime with the number of instances, so each instance occurs once before any instance repeats.
    const each = (sequence * 7_919) % instances;
    yield eventOf(transactionOf(named, each), history + Math.floor(sequence / instances));
  }
}
