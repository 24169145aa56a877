import type { AutoscaledCapacityOptions, Table } from 'aws-cdk-lib/aws-dynamodb';
import { MilepostError } from '../../src/core/errors.ts';
import { requireInteger } from '../options/require-integer.ts';
import { requireObject } from '../options/require-object.ts';
import { type InstanceIndex, instanceIndexes } from './instance-indexes.ts';

/** The read and write capacity of a table or an index. */
export interface ReadWriteCapacity {
  /** The read units per second. */
  readonly readCapacity: AutoscaledCapacityOptions;
  /** The write units per second. */
  readonly writeCapacity: AutoscaledCapacityOptions;
}

/**
 * The provisioned capacity of the instances table, which auto scaling adjusts to the load between a minimum and a
 * maximum. `seedCapacity` is the initial capacity, before auto scaling takes over, and defaults to `minCapacity`.
 */
export interface ProvisionedCapacity extends ReadWriteCapacity {
  /**
   * The capacity of indexes by name. Auto scaling adjusts each index separately, so an index needs separate settings
   * only if its minimum, maximum, or target differs from the table's. DynamoDB throttles a write to the table if an
   * index has too little capacity.
   *
   * @default the capacity of the table
   */
  readonly indexes?: Readonly<Partial<Record<InstanceIndex, Partial<ReadWriteCapacity>>>>;
}

const kinds = ['readCapacity', 'writeCapacity'] as const;
const capacityOptions = ['minCapacity', 'maxCapacity', 'seedCapacity', 'targetUtilizationPercent'];
const exampleCapacity = '{ minCapacity: 5, maxCapacity: 100 }';
/** The default target utilization of auto scaling in percent, as in the CDK's `AutoscaledCapacityOptions`. */
const defaultTarget = 70;
/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/AutoScaling.html */
const [lowestTarget, highestTarget] = [20, 90];

/** Returns the initial capacity, before auto scaling takes over, as properties of a table or an index. */
export function seedCapacityOf({ readCapacity, writeCapacity }: ReadWriteCapacity) {
  return { readCapacity: seedOf(readCapacity), writeCapacity: seedOf(writeCapacity) };
}

/** Returns the capacity of an index: its own settings and, for omitted settings, the table's. */
export function capacityOfIndex(
  { indexes, readCapacity, writeCapacity }: ProvisionedCapacity,
  index: InstanceIndex,
): ReadWriteCapacity {
  return { readCapacity, writeCapacity, ...indexes?.[index] };
}

/** Adds auto scaling to the instances table and to each of its indexes. */
export function addAutoScaling(table: Table, capacity: ProvisionedCapacity): void {
  const { readCapacity: reads, writeCapacity: writes } = capacity;
  table.autoScaleReadCapacity(boundsOf(reads)).scaleOnUtilization(targetOf(reads));
  table.autoScaleWriteCapacity(boundsOf(writes)).scaleOnUtilization(targetOf(writes));
  for (const { name } of instanceIndexes) {
    const index = capacityOfIndex(capacity, name);
    table
      .autoScaleGlobalSecondaryIndexReadCapacity(name, boundsOf(index.readCapacity))
      .scaleOnUtilization(targetOf(index.readCapacity));
    table
      .autoScaleGlobalSecondaryIndexWriteCapacity(name, boundsOf(index.writeCapacity))
      .scaleOnUtilization(targetOf(index.writeCapacity));
  }
}

/**
 * Checks the provisioned capacity of the instances table and its indexes.
 *
 * @throws MilepostError `bad-request` if a capacity of the table is missing, an index or a setting does not exist, or
 *   numbers are invalid or contradict each other.
 */
export function checkCapacity(capacity: ProvisionedCapacity): void {
  const example = `{ readCapacity: ${exampleCapacity}, … }`;
  requireObject('`instancesCapacity`', capacity, example, [...kinds, 'indexes']);
  const { indexes = {}, ...table } = capacity;
  const names: readonly string[] = instanceIndexes.map(({ name }) => name);
  for (const kind of kinds)
    if (!table[kind])
      throw new MilepostError(
        'bad-request',
        `\`instancesCapacity.${kind}\` must be set, such as ${exampleCapacity}; got ${String(table[kind])}`,
      );
  checkReadWrite('instancesCapacity', table);
  const path = 'instancesCapacity.indexes';
  requireObject(`\`${path}\``, indexes, "{ 'by-due': { … } }", names);
  for (const [name, index] of Object.entries(indexes)) {
    if (index === undefined) continue;
    const example = `{ writeCapacity: ${exampleCapacity} }`;
    requireObject(`\`${path}['${name}']\``, index, example, kinds);
    checkReadWrite(`${path}['${name}']`, index);
  }
}

function checkReadWrite(path: string, capacity: Partial<ReadWriteCapacity>): void {
  for (const kind of kinds) {
    const options = capacity[kind];
    if (options !== undefined) checkOptions(`${path}.${kind}`, options);
  }
}

function checkOptions(path: string, options: AutoscaledCapacityOptions): void {
  requireObject(`\`${path}\``, options, exampleCapacity, capacityOptions);
  const {
    maxCapacity,
    minCapacity = 1,
    targetUtilizationPercent: target = defaultTarget,
  } = options;
  requireInteger(`\`${path}.minCapacity\``, minCapacity, 1);
  requireInteger(`\`${path}.maxCapacity\``, maxCapacity, minCapacity);
  requireInteger(`\`${path}.seedCapacity\``, seedOf(options), minCapacity, maxCapacity);
  requireInteger(`\`${path}.targetUtilizationPercent\``, target, lowestTarget, highestTarget);
}

const seedOf = ({ minCapacity = 1, seedCapacity = minCapacity }: AutoscaledCapacityOptions) =>
  seedCapacity;

const boundsOf = ({ minCapacity = 1, maxCapacity }: AutoscaledCapacityOptions) => ({
  minCapacity,
  maxCapacity,
});

const targetOf = ({ targetUtilizationPercent = defaultTarget }: AutoscaledCapacityOptions) => ({
  targetUtilizationPercent,
});
