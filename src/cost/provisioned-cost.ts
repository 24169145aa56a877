import { daysOfMonth } from './dollars.ts';
import { prices } from './prices.ts';

/**
 * The number of resources with provisioned capacity: the instances table and its five indexes. Each resource has at
 * least one unit of read capacity and one unit of write capacity.
 */
const resources = 6;
/** The number of alarms that auto scaling creates for one kind of capacity, read or write, of one resource. */
const alarmsPerTarget = 4;
const hoursOfMonth = daysOfMonth * 24;

/** The units that the instances table and its indexes consume in a month. */
export interface MonthlyUnits {
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** The provisioned capacity of the instances table and its indexes, with its monthly cost in US dollars. */
export interface ProvisionedCost {
  /** The write units per second. */
  readonly writeCapacity: number;
  readonly readCapacity: number;
  readonly perMonth: number;
  /** The number of alarms that auto scaling uses to adjust the capacity. */
  readonly scalingAlarms: number;
  readonly alarmsPerMonth: number;
}

/**
 * Estimates the cost of provisioned capacity for units that are consumed evenly.
 *
 * @param utilization the average share of the capacity that is consumed, in percent. With a steady load, this share is
 *   the target of auto scaling.
 */
export function provisionedCost(
  { writeUnits, readUnits }: MonthlyUnits,
  utilization: number,
): ProvisionedCost {
  const { perWriteUnitHour, perReadUnitHour } = prices.dynamoDb.provisioned;
  const capacityOf = (units: number) =>
    Math.max(resources, units / (hoursOfMonth * 3_600) / (utilization / 100));
  const [writeCapacity, readCapacity] = [capacityOf(writeUnits), capacityOf(readUnits)];
  const scalingAlarms = 2 * resources * alarmsPerTarget;
  return {
    writeCapacity,
    readCapacity,
    perMonth: hoursOfMonth * (writeCapacity * perWriteUnitHour + readCapacity * perReadUnitHour),
    scalingAlarms,
    alarmsPerMonth: scalingAlarms * prices.cloudWatch.perAlarmMetricMonth,
  };
}
