import { daysOfMonth, type UnitsPerEvent } from './dollars.ts';
import { type CpuPerEvent, type Durations, durationsOf } from './lambda-time.ts';
import {
  defaultMemory,
  measuredCpu,
  measuredReads,
  measuredRounds,
  measuredSizes,
} from './measured.ts';

/** What somebody does with a tracker, on average. */
export interface Usage {
  readonly eventsPerMonth: number;
  readonly eventsPerInstance: number;
  /** How many events of an instance come together, and fold into one commit. */
  readonly eventsPerCommit: number;
  /** How often the status, the progress or a timer of an instance changes, its first one included. */
  readonly rowChanges: number;
  /** Of an event as it is put, and of a state as JSON. */
  readonly eventBytes: number;
  readonly stateBytes: number;
  /** Events put to the bus for each event. */
  readonly notificationsPerEvent: number;
  /** Requests to the API in a month. */
  readonly apiReads: number;
  /** How long the stream keeps a record: 1 to 7. */
  readonly retentionDays: number;
  /** How many instances are in the table. */
  readonly instancesKept: number;
  /** In MB. */
  readonly memory: { readonly dispatcher: number; readonly model: number };
  /** Of a processor, for one event, in milliseconds; else as measured. */
  readonly modelMs?: number;
}

/** The usage that a month's events have where nothing else is said: that of work A. */
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

/** What an event takes by that usage. */
export interface EstimatedUnits {
  readonly perEvent: UnitsPerEvent;
  readonly durations: Durations;
  readonly eventsPerBatch: number;
  /** Of an instance with all its events, in bytes, as storage is billed. */
  readonly bytesPerInstance: number;
}

const secondsOfMonth = daysOfMonth * 86_400;
/** What a new stream on demand has, and how many records a second each takes. */
const [minimumShards, recordsPerShard] = [4, 1_000];
/** As the template has them. */
const [batchSize, lanes, notificationShards] = [500, 10, 1];
/** What storage counts for each item, in a table or in an index. */
const itemOverhead = 100;

/** Works out what an event takes, from what was measured: see `docs/cost.md` for the formula. */
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
  // The row itself; two of the indexes, where it is put once and moved after that; one where it stays.
  const rowUnits = rowWrites + 2 * (2 * rowWrites - 1) + 1;
  const writeUnits = commits * kilobytes(commitBytes) + rowUnits;
  // A state that is read is part of its commit.
  const perRead = Math.max(1, commitBytes / 4_096);
  const readUnits = measuredReads.first + (commits - 1) * measuredReads.further * perRead;
  const eventsPerBatch = batchOf(usage);
  // Those that follow from one commit are in one record, and most follow from a change of the status.
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
 * How many events a batch has when a month's events come evenly: each shard is read once a second,
 * and what is there is spread over its lanes by instance.
 */
function batchOf({ eventsPerMonth, eventsPerCommit }: Usage): number {
  const perSecond = eventsPerMonth / secondsOfMonth;
  const shards = Math.max(minimumShards, perSecond / recordsPerShard);
  return Math.min(batchSize, recordsInBatch(perSecond / eventsPerCommit, shards) * eventsPerCommit);
}

/** How many records, or bursts of them, a batch has when so many come a second. */
function recordsInBatch(perSecond: number, shards: number): number {
  const perRead = perSecond / shards;
  const busyLanes = lanes * (1 - (1 - 1 / lanes) ** perRead);
  return busyLanes > 0 ? Math.max(1, perRead / busyLanes) : 1;
}

function cpuOf({ eventsPerCommit, modelMs }: Usage): CpuPerEvent {
  const { rounds, hot } = measuredCpu;
  // Between one event a commit and very many.
  const model = hot.model + (rounds.model - hot.model) / eventsPerCommit;
  return { dispatcher: rounds.dispatcher, model: modelMs ?? model };
}

const kilobytes = (bytes: number) => Math.max(1, Math.ceil(bytes / 1_024));
