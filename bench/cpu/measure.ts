import type { ShardRecord } from '../../src/aws-local/event-source/shards.ts';
import type { CpuPerEvent } from '../../src/cost/lambda-time.ts';
import { batchesOf, oneByOne, unfolded } from '../cost/batches.ts';
import type { Definition } from '../support/definition.ts';
import { recordsOfWork } from '../support/records.ts';
import type { Order } from '../support/work.ts';
import { type CallNode, callTree } from './profile.ts';
import { RunningTracker } from './running-tracker.ts';

/** The measured figures of one run of a workload. */
export interface CpuRun extends CpuPerEvent {
  /** The elapsed time from the first to the last event, divided by the number of events, in milliseconds. */
  readonly wall: number;
  /** The sum of the peak memory of the dispatcher's and the model's processes, in bytes. */
  readonly memory: number;
  /**
   * The CPU time in milliseconds of one read and one write through the document client, measured immediately before the
   * run.
   */
  readonly reference: number;
  /** The call trees of the dispatcher's and the model's processes. Defined only for profiled runs. */
  readonly callTrees?: readonly CallNode[];
}

/** A workload, the arrival pattern of its events, and the configuration of the tracker. */
export interface CpuCase {
  readonly order: Order;
  readonly folding: 'as it comes' | 'one per batch';
  readonly notifications: boolean;
  /** The number of the model's processes. Each batch goes to a pseudorandom process. */
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
    // First process events of other instances so that Node.js has compiled the code before the measurement.
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
    return profiled ? { ...run, callTrees: await callTreesOf(tracker) } : run;
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
    // With many waiting instances, no batch contains two events of the same instance.
    return order === 'rounds'
      ? unfolded(records, batchSize)
      : batchesOf(records, { batchSize, lanes, perRead: 10_000 });
  return oneByOne(records);
}

async function callTreesOf({ dispatcher, models, bundles }: RunningTracker): Promise<CallNode[]> {
  const trees = [callTree(await dispatcher.stopProfile(), bundles.dispatcher)];
  for (const model of models) trees.push(callTree(await model.stopProfile(), bundles.model));
  return trees;
}
