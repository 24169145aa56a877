import type { UnitsPerEvent } from './dollars.ts';
import type { CpuPerEvent } from './lambda-time.ts';

/*
 * The results of bench/cost and bench/cpu with the `activation` model. Cost estimates are based on these results.
 * `test/bench/measured.test.ts` repeats some of the measurements.
 */

/**
 * The measured CPU times. The times do not have to be precise because Lambda time costs only a few cents per million
 * events.
 */
export const measuredCpu: Readonly<Record<'rounds' | 'bursts' | 'hot', CpuPerEvent>> = {
  rounds: { dispatcher: 0.03, model: 0.21 },
  bursts: { dispatcher: 0.03, model: 0.14 },
  hot: { dispatcher: 0.03, model: 0.11 },
};

/** A measured workload. In `A` and `B`, each instance has five events. In `C`, all events belong to one instance. */
export interface MeasuredWork {
  readonly perEvent: UnitsPerEvent;
  /** How many sequential requests the model's function waited for per batch. */
  readonly rounds: number;
  /** The number of DynamoDB requests for each event. */
  readonly requests: number;
  /** The size of all requests and responses for each event, in bytes. */
  readonly bytes: number;
  /** The storage that DynamoDB charges for, in bytes per event. */
  readonly stored: number;
  readonly cpu: CpuPerEvent;
}

/**
 * The workloads, measured with `npx node bench/run.ts --section cost` on 2026-11-30 at the maximum rate of a shard,
 * except `A, one event per batch`.
 */
export const measuredWorks = {
  A: {
    perEvent: {
      writeUnits: 2.2,
      readUnits: 1.544_07,
      busEvents: 1,
      notificationRecords: 0.4,
      publisherBatches: 0.004,
      batches: 1 / 100,
      recordBytes: 218.578,
    },
    rounds: 5.08,
    requests: 0.804_84,
    bytes: 4_889,
    stored: 1_053.3,
    cpu: measuredCpu.rounds,
  },
  'A, one event per batch': {
    perEvent: {
      writeUnits: 2.2,
      readUnits: 1.215,
      busEvents: 1,
      notificationRecords: 0.4,
      publisherBatches: 0.4,
      batches: 1,
      recordBytes: 216.25,
    },
    rounds: 2.506,
    requests: 2.511,
    bytes: 5_086,
    stored: 1_050,
    cpu: measuredCpu.rounds,
  },
  B: {
    perEvent: {
      writeUnits: 0.8,
      readUnits: 0.2003,
      busEvents: 1,
      notificationRecords: 0.2,
      publisherBatches: 1 / 100,
      batches: 1 / 100,
      recordBytes: 218.578,
    },
    rounds: 3.022,
    requests: 0.032_46,
    bytes: 2_103,
    stored: 376.4,
    cpu: measuredCpu.bursts,
  },
  C: {
    perEvent: {
      writeUnits: 0.0544,
      readUnits: 0.056_82,
      busEvents: 0.0001,
      notificationRecords: 0.000_02,
      publisherBatches: 0.000_02,
      batches: 1 / 500,
      recordBytes: 216.778,
    },
    rounds: 7.93,
    requests: 0.015_96,
    bytes: 1_435,
    stored: 46.7,
    cpu: measuredCpu.hot,
  },
} as const satisfies Readonly<Record<string, MeasuredWork>>;

/** The default memory of the functions, in MB. */
export const defaultMemory = { dispatcher: 512, model: 512 } as const;

/** The sizes of items in bytes, if events have `event` bytes and the state has `state` bytes. */
export const measuredSizes = {
  event: 217,
  state: 130,
  /** The size of a commit with one event. */
  commit: 793,
  /**
   * The share of the uncompressed size of an event and its state that each event after the first adds to a commit. The
   * share is small because events and states are compressed together.
   */
  furtherShare: 0.12,
  /** The size of an instance's status row. */
  row: 315,
  /** The size of a status row's entry in an index. */
  rowEntry: 93,
  /** The number of indexes that contain every row. */
  rowEntries: 2,
} as const;

/**
 * The number of sequential requests that a model's function sends for a batch: a constant, plus a fraction per commit.
 */
export const measuredRounds = { first: 2.5, perCommit: 0.0257 } as const;

/** The read units that the first commit of an instance consumes, and the read units that each later commit consumes. */
export const measuredReads = { first: 1, further: 1.68 } as const;
