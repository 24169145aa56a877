import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import type { CpuPerEvent } from '../../src/cost/lambda-time.ts';
import { batchesOf, oneByOne, unfolded } from '../cost/batches.ts';
import type { Definition } from '../support/definition.ts';
import { recordsOfWork } from '../support/records.ts';
import type { Order } from '../support/work.ts';
import { type Owner, timeByOwner } from './profile.ts';
import { RunningTracker } from './running-tracker.ts';
import type { Worker } from './worker-host.ts';

/** The figures of one run of a workload. */
export interface CpuRun extends CpuPerEvent {
  /** The elapsed time from the first to the last event, in milliseconds per event. */
  readonly wall: number;
  /** The peak memory of the dispatcher's and the model's processes in bytes. */
  readonly memory: number;
  /**
   * The processor time of one read and one write through the document client in milliseconds, measured just before the
   * run.
   */
  readonly reference: number;
  /** Each owner's share of the running time. Defined only for profiled runs. */
  readonly shares?: Partial<Record<Owner, number>>;
}

/** A workload, the arrival pattern of its events, and the configuration of the tracker. */
export interface CpuCase {
  readonly order: Order;
  readonly folding: 'as it comes' | 'one an instance and batch';
  readonly notifications: boolean;
  /** The number of the model's processes. Each batch goes to any one of them. */
  readonly environments: number;
}

/** Runs a workload on a new, warmed-up tracker and returns the figures. */
export async function cpuOf(
  definition: Definition,
  each: CpuCase,
  { instances, profiled = false }: { instances: number; profiled?: boolean },
): Promise<CpuRun> {
  const tracker = await RunningTracker.start(definition, each);
  try {
    // Process events of other instances first, so that Node.js has compiled the code before the measurement.
    const warmUp = recordsOfWork('bursts', Math.ceil(instances / 5)).map((record) => ({
      ...record,
      partitionKey: `W${record.partitionKey}`,
      data: Buffer.from(Buffer.from(record.data).toString().replaceAll('ATV-', 'WARM-')),
    }));
    const warming = batchesFor(definition, { ...each, order: 'bursts' }, warmUp);
    for (const batch of warming) await tracker.deliver(batch);
    const records = recordsOfWork(each.order, instances);
    const batches = batchesFor(definition, each, records);
    const reference = await tracker.plainWay();
    const before = await tracker.use();
    const began = performance.now();
    if (profiled)
      await Promise.all(
        [tracker.dispatcher, ...tracker.models].map((worker) => worker.startProfile()),
      );
    for (const batch of batches) await tracker.deliver(batch);
    const wall = (performance.now() - began) / records.length;
    const after = await tracker.use();
    const run = {
      dispatcher: (after.dispatcher - before.dispatcher) / records.length,
      model: (after.model - before.model) / records.length,
      wall,
      memory: after.memory,
      reference,
    };
    return profiled ? { ...run, shares: await sharesOf(tracker) } : run;
  } finally {
    await tracker.stop();
  }
}

function batchesFor(
  { batchSize, lanes }: Definition,
  { order, folding }: Pick<CpuCase, 'order' | 'folding'>,
  records: readonly ShardRecord[],
): ShardRecord[][] {
  if (folding === 'as it comes')
    // With many waiting instances, no batch contains two rounds of the same instance.
    return order === 'rounds'
      ? unfolded(records, batchSize)
      : batchesOf(records, { batchSize, lanes, perRead: 10_000 });
  return order === 'hot' ? oneByOne(records) : unfolded(records, batchSize);
}

async function sharesOf(tracker: RunningTracker): Promise<Partial<Record<Owner, number>>> {
  const sums = new Map<Owner, number>();
  const { dispatcher, models, bundles } = tracker;
  const add = async (worker: Worker, bundle: string) => {
    for (const [owner, time] of timeByOwner(await worker.stopProfile(), bundle))
      sums.set(owner, (sums.get(owner) ?? 0) + time);
  };
  await add(dispatcher, bundles.dispatcher);
  for (const model of models) await add(model, bundles.model);
  const all = [...sums.values()].reduce((sum, each) => sum + each, 0);
  return Object.fromEntries([...sums].map(([owner, time]) => [owner, time / all]));
}
