import { counterInvocations, dollarsOfCounterInvocation } from './counter-cost.ts';
import { daysOfMonth, dollarsOf } from './dollars.ts';
import { gigabyte, prices } from './prices.ts';
import { provisionedCost } from './provisioned-cost.ts';
import { estimateUnits, type Usage } from './usage.ts';

/** The monthly cost of one AWS service or one part of Milepost. */
export interface CostLine {
  readonly service: string;
  /** The quantity that AWS charges for, in words, such as `720 hours, 7 days of retention`. */
  readonly amount: string;
  /** The cost per month in US dollars. */
  readonly perMonth: number;
}

/** The monthly cost of a tracker, in total and by service. */
export interface MonthlyCost {
  readonly lines: readonly CostLine[];
  /** The cost per month in US dollars. */
  readonly perMonth: number;
  /** The cost of a million events, in US dollars. */
  readonly perMillion: number;
}

/** The consumption of a request to the API. These values are assumed, not measured. */
const assumedRead = { milliseconds: 25, megabytes: 512, readUnits: 2 };
const million = 1e6;

/** Estimates the monthly cost of a tracker with this usage, at list prices. */
export function monthlyCostOf(usage: Usage): MonthlyCost {
  const { perEvent, rowChanges, durations, eventsPerBatch, bytesPerInstance } =
    estimateUnits(usage);
  const millions = usage.eventsPerMonth / million;
  const dollars = dollarsOf(perEvent, durations, usage.memory, {
    hours: (daysOfMonth * 24) / millions,
    keptDays: usage.retentionDays,
    pushed: usage.lowLatency,
  });
  const gigabytes = (usage.instancesKept * bytesPerInstance) / gigabyte;
  const { perGigabyteMonth, perGigabyteMonthOfBackup } = prices.dynamoDb;
  const { writeUnits, readUnits, batches } = perEvent;
  const countings = counterInvocations({
    rowChanges: rowChanges * usage.eventsPerMonth,
    writeUnits: writeUnits * usage.eventsPerMonth,
  });
  const { busEvents, notificationRecords, publisherBatches } = perEvent;
  const lines: CostLine[] = [
    ...(usage.capacityUtilization === undefined
      ? [
          {
            service: 'DynamoDB, units',
            amount: `${round(writeUnits)} written and ${round(readUnits)} read per event`,
            perMonth: millions * dollars.dynamoDb,
          },
        ]
      : provisionedLines(perEvent, usage.eventsPerMonth, usage.capacityUtilization)),
    {
      service: 'DynamoDB, storage with backup',
      amount: `${round(gigabytes)} GB`,
      perMonth: gigabytes * (perGigabyteMonth + perGigabyteMonthOfBackup),
    },
    {
      service: 'Lambda',
      amount: `${count(2 * batches * usage.eventsPerMonth)} invocations, ${round(eventsPerBatch)} ${round(eventsPerBatch) === '1' ? 'event' : 'events'} each`,
      perMonth: millions * dollars.lambda,
    },
    {
      service: 'CloudWatch Logs',
      amount: "the dispatcher's metrics",
      perMonth: millions * dollars.logs,
    },
    {
      service: 'Kinesis on demand',
      amount: `${daysOfMonth * 24} hours, ${usage.retentionDays} days of retention`,
      perMonth: millions * dollars.kinesisOnDemand,
    },
    {
      service: 'Notification stream',
      amount: `${count(notificationRecords * usage.eventsPerMonth)} records, one shard`,
      perMonth: millions * dollars.notificationStream,
    },
    {
      service: 'Publisher',
      amount: `${count(publisherBatches * usage.eventsPerMonth)} invocations`,
      perMonth: millions * dollars.publisher,
    },
    {
      service: 'Counters',
      amount: `${count(countings)} invocations with their writes`,
      perMonth: countings * dollarsOfCounterInvocation(),
    },
    {
      service: 'EventBridge',
      amount: `${count(busEvents * usage.eventsPerMonth)} notifications`,
      perMonth: millions * dollars.eventBridge,
    },
    {
      service: 'Secrets Manager',
      amount: 'the signing keys',
      perMonth: prices.secretsManager.perSecretMonth,
    },
    {
      service: 'API',
      amount: `${count(usage.apiReads)} requests`,
      perMonth: (usage.apiReads / million) * dollarsOfMillionReads(),
    },
  ];
  const perMonth = lines.reduce((sum, line) => sum + line.perMonth, 0);
  return { lines, perMonth, perMillion: perMonth / millions };
}

function provisionedLines(
  { writeUnits, readUnits }: { readonly writeUnits: number; readonly readUnits: number },
  events: number,
  utilization: number,
): CostLine[] {
  const units = { writeUnits: writeUnits * events, readUnits: readUnits * events };
  const cost = provisionedCost(units, utilization);
  return [
    {
      service: 'DynamoDB, capacity',
      amount: `${count(cost.writeCapacity)} write and ${count(cost.readCapacity)} read units per second, ${utilization}% used`,
      perMonth: cost.perMonth,
    },
    {
      service: 'Auto scaling',
      amount: `${cost.scalingAlarms} alarms`,
      perMonth: cost.alarmsPerMonth,
    },
  ];
}

function dollarsOfMillionReads(): number {
  const { apiGateway, lambda, dynamoDb } = prices;
  const gigabyteSeconds = (assumedRead.milliseconds / 1_000) * (assumedRead.megabytes / 1_024);
  return (
    apiGateway.perMillionRequests +
    lambda.perMillionRequests +
    million * gigabyteSeconds * lambda.perGigabyteSecond +
    assumedRead.readUnits * dynamoDb.perMillionReadUnits
  );
}

const round = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 2 });
const count = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 0 });
