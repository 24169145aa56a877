import { secondsOfMonth, type UnitsPerEvent } from './dollars.ts';
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
  /** The number of an instance's events that arrive together and are folded into one commit. */
  readonly eventsPerCommit: number;
  /** How many times an instance's status, progress, or timers change, including the first time. */
  readonly rowChanges: number;
  /** The size of an event as sent by its producer, in bytes. */
  readonly eventBytes: number;
  /** The size of a state, in bytes of JSON. */
  readonly stateBytes: number;
  /** The number of notifications for each event. */
  readonly notificationsPerEvent: number;
  /**
   * The number of notifications for each event that are published on the EventBridge bus. Default: all notifications. A
   * value of 0 means that there is no bus.
   */
  readonly publishedPerEvent?: number;
  /** The number of API requests in a month. */
  readonly apiReads: number;
  /** The stream's retention in days, 1 to 7. */
  readonly retentionDays: number;
  /** The number of instances in the table. */
  readonly instancesKept: number;
  /** The memory of the functions, in MB. */
  readonly memory: { readonly dispatcher: number; readonly model: number };
  /** The model's CPU time for one event, in milliseconds. Default: the measured time of `activation`. */
  readonly modelMs?: number;
  /** Whether Kinesis pushes the records to the dispatcher (`lowLatency`). Default: false. */
  readonly lowLatency?: boolean;
  /**
   * The average share of the provisioned capacity (`instancesCapacity`) that is consumed, in percent. Default: capacity
   * is on demand.
   */
  readonly capacityUtilization?: number;
}

/** Returns the default usage for the given number of events per month: the usage of workload A. */
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

/** The estimated consumption of an event. */
export interface EstimatedUnits {
  readonly perEvent: UnitsPerEvent;
  /** The number of status row changes per event. */
  readonly rowChanges: number;
  readonly durations: Durations;
  readonly eventsPerBatch: number;
  /** The storage that DynamoDB charges for per instance with all of its events, in bytes. */
  readonly bytesPerInstance: number;
}

/** The number of shards of a new on-demand stream, and the number of records that each shard accepts in a second. */
const [minimumShards, recordsPerShard] = [4, 1_000];
/**
 * Settings in the CloudFormation template: the batch size and parallelization factor of the event source mapping, and
 * the number of shards of the notification stream.
 */
const [batchSize, lanes, notificationShards] = [500, 10, 1];
/** The overhead that DynamoDB adds to the storage of each item in a table or index, in bytes. */
const itemOverhead = 100;

/** Estimates the consumption of an event from the measurements: see `docs/reference/cost.md` for the formula. */
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
  // There are three kinds of writes: the row itself, its entry in the index by transaction, and its entry in the index
  // by status. The entry by transaction never moves. The entry by status is inserted once, and then moved by each later
  // change, with a delete and an insert.
  const rowUnits = rowWrites + (2 * rowWrites - 1) + 1;
  const writeUnits = commits * kilobytes(commitBytes) + rowUnits;
  // Each read of a commit includes the state.
  const perRead = Math.max(1, commitBytes / 4_096);
  const readUnits = measuredReads.first + (commits - 1) * measuredReads.further * perRead;
  const durationsOfBatch = (events: number): Durations =>
    durationsOf(cpuOf(usage), usage.memory, {
      events,
      rounds: measuredRounds.first + (measuredRounds.perCommit * events) / eventsPerCommit,
    });
  const eventsPerBatch = usage.lowLatency ? pushedBatchOf(usage, durationsOfBatch) : batchOf(usage);
  // Notifications of one commit share a record. Most notifications report a status change.
  const notificationRecords = Math.min(usage.notificationsPerEvent, rowWrites / eventsPerInstance);
  const { publishedPerEvent = usage.notificationsPerEvent } = usage;
  const recordsPerPublisherBatch = recordsInBatch(
    (usage.eventsPerMonth / secondsOfMonth) * notificationRecords,
    notificationShards,
  );
  return {
    perEvent: {
      writeUnits: writeUnits / eventsPerInstance,
      readUnits: readUnits / eventsPerInstance,
      busEvents: publishedPerEvent,
      notificationRecords,
      publisherBatches:
        publishedPerEvent === 0 ? 0 : notificationRecords / recordsPerPublisherBatch,
      batches: 1 / eventsPerBatch,
      recordBytes: eventBytes,
    },
    rowChanges: rowWrites / eventsPerInstance,
    durations: durationsOfBatch(eventsPerBatch),
    eventsPerBatch,
    bytesPerInstance:
      commits * (commitBytes + itemOverhead) +
      (size.row + itemOverhead) +
      size.rowEntries * (size.rowEntry + itemOverhead),
  };
}

/**
 * Estimates the number of events in a batch if a month's events arrive evenly. Lambda reads each shard once a second,
 * and all of an instance's records go to the same lane of the shard.
 */
function batchOf({ eventsPerMonth, eventsPerCommit }: Usage): number {
  const { perSecond, shards } = streamOf(eventsPerMonth);
  return Math.min(batchSize, recordsInBatch(perSecond / eventsPerCommit, shards) * eventsPerCommit);
}

/**
 * Estimates the number of events in a batch if Kinesis pushes events and a month's events arrive evenly. A batch
 * contains the events that arrived in the shard while the previous batch was processed.
 */
function pushedBatchOf(
  { eventsPerMonth, eventsPerCommit }: Usage,
  durationsOfBatch: (events: number) => Durations,
): number {
  const { perSecond, shards } = streamOf(eventsPerMonth);
  const perMillisecond = perSecond / shards / 1_000;
  const base = durationsOfBatch(0).dispatcher;
  const perEvent = durationsOfBatch(1).dispatcher - base;
  const busy = perMillisecond * perEvent;
  const events = busy < 1 ? (perMillisecond * base) / (1 - busy) : batchSize;
  return Math.min(batchSize, Math.max(eventsPerCommit, events));
}

/** Returns a stream's events per second and its number of shards. */
function streamOf(eventsPerMonth: number) {
  const perSecond = eventsPerMonth / secondsOfMonth;
  return { perSecond, shards: Math.max(minimumShards, perSecond / recordsPerShard) };
}

/** Estimates the number of records, or of bursts of records, in a batch, if they arrive at this rate per second. */
function recordsInBatch(perSecond: number, shards: number): number {
  const perRead = perSecond / shards;
  const busyLanes = lanes * (1 - (1 - 1 / lanes) ** perRead);
  return busyLanes > 0 ? Math.max(1, perRead / busyLanes) : 1;
}

function cpuOf({ eventsPerCommit, modelMs }: Usage): CpuPerEvent {
  const { rounds, hot } = measuredCpu;
  // Interpolate between the CPU time for commits with one event and the CPU time for commits with a large number of
  // events.
  const model = hot.model + (rounds.model - hot.model) / eventsPerCommit;
  return { dispatcher: rounds.dispatcher, model: modelMs ?? model };
}

const kilobytes = (bytes: number) => Math.max(1, Math.ceil(bytes / 1_024));
