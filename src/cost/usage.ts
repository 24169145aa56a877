import { daysOfMonth, type UnitsPerEvent } from './dollars.ts';
import { type CpuPerEvent, type Durations, durationsOf } from './lambda-time.ts';
import {
  defaultMemory,
  measuredCpu,
  measuredReads,
  measuredRounds,
  measuredSizes,
} from './measured.ts';

/** The average usage of a tracker. */
export interface Usage {
  readonly eventsPerMonth: number;
  readonly eventsPerInstance: number;
  /** The number of events of an instance that arrive together and fold into one commit. */
  readonly eventsPerCommit: number;
  /** The number of changes of the status, the progress or a timer of an instance, including the first. */
  readonly rowChanges: number;
  /** The size of an event, and of a state as JSON. */
  readonly eventBytes: number;
  readonly stateBytes: number;
  /** The number of notifications per event. */
  readonly notificationsPerEvent: number;
  /** API requests per month. */
  readonly apiReads: number;
  /** The retention of the stream, 1 to 7 days. */
  readonly retentionDays: number;
  /** The number of instances in the table. */
  readonly instancesKept: number;
  /** The memory of the functions, in MB. */
  readonly memory: { readonly dispatcher: number; readonly model: number };
  /** The CPU time of the model per event, in milliseconds; default: as measured. */
  readonly modelMs?: number;
}

/** The default usage for a number of events per month: workload A. */
export function usageOf(eventsPerMonth: number): Usage {
  return {
    eventsPerMonth,
    eventsPerInstance: 5,
    eventsPerCommit: 1,
    rowChanges: 2,
    eventBytes: measuredSizes.event,
    stateBytes: measuredSizes.state,
    notificationsPerEvent: 1,
    apiReads: 0,
    retentionDays: 7,
    instancesKept: eventsPerMonth / 5,
    memory: defaultMemory,
  };
}

/** The estimated usage per event. */
export interface EstimatedUnits {
  readonly perEvent: UnitsPerEvent;
  readonly durations: Durations;
  readonly eventsPerBatch: number;
  /** The billed storage of an instance with all its events, in bytes. */
  readonly bytesPerInstance: number;
}

const secondsOfMonth = daysOfMonth * 86_400;
/** The shards of a new on-demand stream, and the records per second and shard. */
const [minimumShards, recordsPerShard] = [4, 1_000];
/** The settings of the template. */
const [batchSize, lanes, notificationShards] = [500, 10, 1];
/** The billed storage overhead per item, in a table or an index, in bytes. */
const itemOverhead = 100;

/** Estimates the usage per event from measurements; `docs/cost.md` explains the formula. */
export function estimateUnits(usage: Usage): EstimatedUnits {
  const { eventsPerInstance, eventsPerCommit, eventBytes, stateBytes } = usage;
  const commits = eventsPerInstance / eventsPerCommit;
  const rowWrites = Math.min(commits, usage.rowChanges);
  const size = measuredSizes;
  const commitBytes =
    size.commit +
    (eventBytes - size.event) +
    (stateBytes - size.state) +
    (eventsPerCommit - 1) * size.furtherShare * (eventBytes + stateBytes);
  // The row; two indexes, with one put and moves after that; one index where the entry stays.
  const rowUnits = rowWrites + 2 * (2 * rowWrites - 1) + 1;
  const writeUnits = commits * kilobytes(commitBytes) + rowUnits;
  // Reading a state reads its commit.
  const perRead = Math.max(1, commitBytes / 4_096);
  const readUnits = measuredReads.first + (commits - 1) * measuredReads.further * perRead;
  const eventsPerBatch = batchOf(usage);
  // The notifications of a commit share a record, and most result from a change of the status.
  const notificationRecords = Math.min(usage.notificationsPerEvent, rowWrites / eventsPerInstance);
  const recordsPerPublisherBatch = recordsInBatch(
    (usage.eventsPerMonth / secondsOfMonth) * notificationRecords,
    notificationShards,
  );
  const rounds = measuredRounds.first + measuredRounds.perEvent * eventsPerBatch;
  return {
    perEvent: {
      writeUnits: writeUnits / eventsPerInstance,
      readUnits: readUnits / eventsPerInstance,
      busEvents: usage.notificationsPerEvent,
      notificationRecords,
      publisherBatches: notificationRecords / recordsPerPublisherBatch,
      batches: 1 / eventsPerBatch,
      recordBytes: eventBytes,
    },
    durations: durationsOf(cpuOf(usage), usage.memory, { events: eventsPerBatch, rounds }),
    eventsPerBatch,
    bytesPerInstance:
      commits * (commitBytes + itemOverhead) +
      (size.row + itemOverhead) +
      size.rowEntries * (size.rowEntry + itemOverhead),
  };
}

/**
 * Estimates the events per batch at a constant rate: each shard is read once per second, and its records are spread
 * over the lanes by instance.
 */
function batchOf({ eventsPerMonth, eventsPerCommit }: Usage): number {
  const perSecond = eventsPerMonth / secondsOfMonth;
  const shards = Math.max(minimumShards, perSecond / recordsPerShard);
  return Math.min(batchSize, recordsInBatch(perSecond / eventsPerCommit, shards) * eventsPerCommit);
}

/** Estimates the records, or bursts, per batch at a rate per second. */
function recordsInBatch(perSecond: number, shards: number): number {
  const perRead = perSecond / shards;
  const busyLanes = lanes * (1 - (1 - 1 / lanes) ** perRead);
  return busyLanes > 0 ? Math.max(1, perRead / busyLanes) : 1;
}

function cpuOf({ eventsPerCommit, modelMs }: Usage): CpuPerEvent {
  const { rounds, hot } = measuredCpu;
  // Interpolate between one event per commit and very many.
  const model = hot.model + (rounds.model - hot.model) / eventsPerCommit;
  return { dispatcher: rounds.dispatcher, model: modelMs ?? model };
}

const kilobytes = (bytes: number) => Math.max(1, Math.ceil(bytes / 1_024));
