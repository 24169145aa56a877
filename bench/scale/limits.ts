import { indexShards } from '../../src/aws/instances/instance-keys.ts';
import type { Consumption } from '../cost/measure.ts';
import { quotas } from './quotas.ts';

/** Something that events use up. */
export interface Limit {
  readonly what: string;
  /** Events a second at which it is used up, as things are set by default. */
  readonly eventsPerSecond: number;
  /** What to set for a rate, in words. */
  readonly toSet: (rate: number) => string;
}

/** Keys are never used quite evenly: so much of what they could do together is counted on. */
const evenness = 0.8;

/** What an event uses up besides Lambda, and how far each of it goes. */
export function limitsOf({ writeUnits, readUnits, perEvent }: Consumption): Limit[] {
  const { kinesis, dynamoDb } = quotas;
  const perKey = evenness * dynamoDb.writeUnitsPerKey;
  const indexes = Object.entries(writeUnits).filter(([name]) => name.startsWith('index '));
  const ofTable = perEvent.writeUnits - indexes.reduce((sum, [, units]) => sum + units, 0);
  const ofIndex = Math.max(...indexes.map(([, units]) => units));
  const ofReads = Object.values(readUnits).reduce((sum, units) => sum + units, 0);
  const shardBytes = kinesis.bytesPerShard / perEvent.recordBytes;
  const perShard = evenness * Math.min(kinesis.recordsPerShard, shardBytes);
  const units = (each: number, rate: number) => `${thousands(each * rate)} units a second`;
  const limits: Limit[] = [
    ...indexes.map(([name, each]) => ({
      what: `${name}: ${indexShards} keys`,
      eventsPerSecond: (indexShards * perKey) / each,
      toSet: (rate: number) => `${Math.ceil((each * rate) / perKey)} keys`,
    })),
    {
      what: 'a new stream on demand',
      eventsPerSecond: kinesis.recordsOfNewStream,
      toSet: (rate) => `${Math.ceil(rate / perShard)} shards, or a stream that has grown`,
    },
    {
      what: 'a new table: writes',
      eventsPerSecond: dynamoDb.writeUnitsOfNewTable / Math.max(ofTable, ofIndex),
      toSet: (rate) =>
        `warm throughput, table ${units(ofTable, rate)}, largest index ${units(ofIndex, rate)}`,
    },
    {
      what: 'quota of the table: writes',
      eventsPerSecond: dynamoDb.unitsPerTable / ofTable,
      toSet: (rate) => units(ofTable, rate),
    },
    {
      what: 'quota of the table: reads',
      eventsPerSecond: dynamoDb.unitsPerTable / ofReads,
      toSet: (rate) => units(ofReads, rate),
    },
    {
      what: 'quota of an index: writes',
      eventsPerSecond: dynamoDb.unitsPerTable / ofIndex,
      toSet: (rate) => units(ofIndex, rate),
    },
  ];
  return limits.toSorted((a, b) => a.eventsPerSecond - b.eventsPerSecond);
}

const thousands = (value: number) => Math.round(value).toLocaleString('en');
