import type { UnitsPerEvent } from './dollars.ts';
import type { CpuPerEvent } from './lambda-time.ts';

/*
 * The measurements of bench/cost and bench/cpu with the model `activation`, as the basis of estimates.
 * `test/bench/measured.test.ts` repeats some of them.
 */

/** CPU time. The duration of Lambda functions costs only a few cents per million events. */
export const measuredCpu: Readonly<Record<'rounds' | 'bursts' | 'hot', CpuPerEvent>> = {
  rounds: { dispatcher: 0.03, model: 0.21 },
  bursts: { dispatcher: 0.03, model: 0.14 },
  hot: { dispatcher: 0.03, model: 0.11 },
};

/** The measured usage of a workload: five events per instance in A and B, one instance in C. */
export interface MeasuredWork {
  readonly perEvent: UnitsPerEvent;
  /** The number of sequential round trips of the model in a batch. */
  readonly rounds: number;
  /** Requests to DynamoDB per event. */
  readonly requests: number;
  /** Bytes of all requests and responses per event. */
  readonly bytes: number;
  /** Bytes stored permanently per event, as billed. */
  readonly stored: number;
  readonly cpu: CpuPerEvent;
}

/**
 * Results of `npx node bench/run.ts --section cost`, 2026-11-21, at the maximum rate of a shard, except the second
 * workload.
 */
export const measuredWorks = {
  A: {
    perEvent: {
      writeUnits: 2.8,
      readUnits: 3.107_68,
      busEvents: 1,
      notificationRecords: 0.4,
      publisherBatches: 0.004,
      batches: 1 / 100,
      recordBytes: 218.578,
    },
    rounds: 4.002,
    requests: 0.105_06,
    bytes: 5_195,
    stored: 1_095.2,
    cpu: measuredCpu.rounds,
  },
  'A, one event a batch': {
    perEvent: {
      writeUnits: 2.8,
      readUnits: 3.1285,
      busEvents: 1,
      notificationRecords: 0.4,
      publisherBatches: 0.4,
      batches: 1,
      recordBytes: 216.25,
    },
    rounds: 4.0335,
    requests: 3.6335,
    bytes: 5_868,
    stored: 1_091.5,
    cpu: measuredCpu.rounds,
  },
  B: {
    perEvent: {
      writeUnits: 1,
      readUnits: 0.2,
      busEvents: 1,
      notificationRecords: 0.2,
      publisherBatches: 1 / 100,
      batches: 1 / 100,
      recordBytes: 218.578,
    },
    rounds: 4,
    requests: 0.032_04,
    bytes: 2_089,
    stored: 417.8,
    cpu: measuredCpu.bursts,
  },
  C: {
    perEvent: {
      writeUnits: 0.029_96,
      readUnits: 0.054_66,
      busEvents: 0.0001,
      notificationRecords: 0.000_02,
      publisherBatches: 0.000_02,
      batches: 1 / 500,
      recordBytes: 216.778,
    },
    rounds: 11.45,
    requests: 0.022_88,
    bytes: 1_461,
    stored: 25.9,
    cpu: measuredCpu.hot,
  },
} as const satisfies Readonly<Record<string, MeasuredWork>>;

/** The default memory of the functions, in MB. */
export const defaultMemory = { dispatcher: 1_024, model: 512 } as const;

/** The sizes of items, in bytes, with events of `event` bytes and a state of `state` bytes. */
export const measuredSizes = {
  event: 217,
  state: 130,
  /** A commit of one event. */
  commit: 793,
  /** The share that each further event adds to a commit: events and states are compressed together. */
  furtherShare: 0.12,
  /** A status row. */
  row: 315,
  /** A row's entry in an index, and the number of indexes that contain every row. */
  rowEntry: 93,
  rowEntries: 3,
} as const;

/** The sequential round trips of a model per batch, and their increase per event. */
export const measuredRounds = { first: 4, perEvent: 0.0105 } as const;

/** The read units of an instance for its first commit, and for each further one. */
export const measuredReads = { first: 1, further: 3.5 } as const;
