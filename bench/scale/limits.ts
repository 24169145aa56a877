import { newInstallation } from '../../src/aws/instances/partition-counts.ts';
import type { Consumption } from '../cost/measure.ts';
import { counterLimit } from './counter-limit.ts';
import { quotas } from './quotas.ts';

/** A limited resource that events consume. */
export interface Limit {
  readonly what: string;
  /** The rate that exhausts the resource with default settings, in events per second. */
  readonly eventsPerSecond: number;
  /** Describes the setting or quota that a rate, in events per second, requires. */
  readonly toSet: (rate: number) => string;
}

/** The number of partitions of an index key in the first minutes of an installation, before the clock raises it. */
const keysOfNewInstallation = newInstallation.count;

/**
 * The usable fraction of the combined capacity of all partitions or shards. The fraction is less than 1, because load
 * is never distributed evenly.
 */
const evenness = 0.8;

/** Computes the limits of the resources that events consume, lowest first. Lambda concurrency is not included. */
export function limitsOf({ writeUnits, readUnits, perEvent }: Consumption): Limit[] {
  const { kinesis, dynamoDb } = quotas;
  const perKey = evenness * dynamoDb.writeUnitsPerKey;
  const indexes = Object.entries(writeUnits).filter(([name]) => name.startsWith('index '));
  const ofTable = perEvent.writeUnits - indexes.reduce((sum, [, units]) => sum + units, 0);
  const ofIndex = Math.max(...indexes.map(([, units]) => units));
  const ofReads = Object.values(readUnits).reduce((sum, units) => sum + units, 0);
  const shardBytes = kinesis.bytesPerShard / perEvent.recordBytes;
  const perShard = evenness * Math.min(kinesis.recordsPerShard, shardBytes);
  const units = (each: number, rate: number) => `${thousands(each * rate)} units per second`;
  const limits: Limit[] = [
    ...indexes.map(([name, each]) => ({
      what: `${name}: ${keysOfNewInstallation} keys, before the first increase`,
      eventsPerSecond: (keysOfNewInstallation * perKey) / each,
      toSet: (rate: number) => `${Math.ceil((each * rate) / perKey)} keys`,
    })),
    {
      what: 'counters of a model: 4 keys',
      eventsPerSecond: counterLimit(ofTable, perKey),
      toSet: () => 'a design change',
    },
    {
      what: 'a new on-demand stream',
      eventsPerSecond: kinesis.recordsOfNewStream,
      toSet: (rate) => `${Math.ceil(rate / perShard)} shards, or a stream that has scaled up`,
    },
    {
      what: 'a new table: writes',
      eventsPerSecond: dynamoDb.writeUnitsOfNewTable / Math.max(ofTable, ofIndex),
      toSet: (rate) =>
        `warm throughput, table ${units(ofTable, rate)}, largest index ${units(ofIndex, rate)}`,
    },
    {
      what: 'table quota: writes',
      eventsPerSecond: dynamoDb.unitsPerTable / ofTable,
      toSet: (rate) => units(ofTable, rate),
    },
    {
      what: 'table quota: reads',
      eventsPerSecond: dynamoDb.unitsPerTable / ofReads,
      toSet: (rate) => units(ofReads, rate),
    },
    {
      what: 'index quota: writes',
      eventsPerSecond: dynamoDb.unitsPerTable / ofIndex,
      toSet: (rate) => units(ofIndex, rate),
    },
  ];
  return limits.toSorted((a, b) => a.eventsPerSecond - b.eventsPerSecond);
}

const thousands = (value: number) => Math.round(value).toLocaleString('en');
