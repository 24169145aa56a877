import { type Dollars, dollarsOf, totalOf } from '../../src/cost/dollars.ts';
import { durationsOf } from '../../src/cost/lambda-time.ts';
import { defaultMemory, type MeasuredWork, measuredWorks } from '../../src/cost/measured.ts';
import { monthlyCostOf } from '../../src/cost/monthly-cost.ts';
import { provisionedCost } from '../../src/cost/provisioned-cost.ts';
import { estimateUnits, usageOf } from '../../src/cost/usage.ts';
import { canaryCost } from './canary-cost.ts';
import { timerCost } from './timer-cost.ts';

/** Generates the tables of docs/reference/cost.md that contain results of the formula, in page order. */
export function costTables(): string[] {
  return [
    measured(),
    priced(),
    estimated(),
    months(),
    capacities(),
    steadyLoads(),
    publications(),
    latencies(),
    timers(),
    canary(),
  ];
}

const works = Object.entries<MeasuredWork>(measuredWorks);

function measured(): string {
  return table(
    [
      'per event',
      'write units',
      'read units',
      'requests to DynamoDB',
      'stored bytes',
      'events per batch',
      'notifications',
    ],
    works.map(([name, { perEvent, requests, stored }]) => [
      name,
      perEvent.writeUnits.toFixed(2),
      perEvent.readUnits.toFixed(2),
      requests.toFixed(2),
      whole(stored),
      whole(1 / perEvent.batches),
      perEvent.busEvents.toFixed(2),
    ]),
  );
}

function priced(): string {
  return table(
    [
      '$ per million events',
      'DynamoDB',
      'Lambda',
      'logs',
      'Kinesis on demand',
      'notification stream',
      'publisher',
      'EventBridge',
      'total',
    ],
    works.map(([name, work]) => {
      const dollars = dollarsOfWork(work);
      const { dynamoDb, lambda, logs, kinesisOnDemand } = dollars;
      const { notificationStream, publisher, eventBridge } = dollars;
      const events = [dynamoDb, lambda, logs, kinesisOnDemand];
      const notifications = [notificationStream, publisher, eventBridge];
      return [name, ...[...events, ...notifications, totalOf(dollars)].map(cents)];
    }),
  );
}

export function dollarsOfWork({ perEvent, rounds, cpu }: MeasuredWork): Dollars {
  const durations = durationsOf(cpu, defaultMemory, { events: 1 / perEvent.batches, rounds });
  return dollarsOf(perEvent, durations, defaultMemory);
}

function estimated(): string {
  const common = usageOf(1e9);
  const usages = {
    A: common,
    B: { ...common, eventsPerCommit: 5 },
    C: { ...common, eventsPerInstance: 50_000, eventsPerCommit: 500 },
  };
  return table(
    [
      'per event',
      'write units, measured',
      'write units, by formula',
      'read units, measured',
      'read units, by formula',
      'stored bytes, measured',
      'stored bytes, by formula',
    ],
    Object.entries(usages).map(([name, usage]) => {
      const { perEvent, bytesPerInstance } = estimateUnits(usage);
      const work = measuredWorks[name as keyof typeof usages];
      return [
        name,
        work.perEvent.writeUnits.toFixed(2),
        perEvent.writeUnits.toFixed(2),
        work.perEvent.readUnits.toFixed(2),
        perEvent.readUnits.toFixed(2),
        whole(work.stored),
        whole(bytesPerInstance / usage.eventsPerInstance),
      ];
    }),
  );
}

const loads = [1e5, 1e6, 1e7, 1e8, 1e9];

function months(): string {
  const found = loads.map((events) => monthlyCostOf(usageOf(events)));
  const row = (name: string, of: (month: (typeof found)[number]) => number) => [
    name,
    ...found.map((month) => money(of(month))),
  ];
  return table(
    ['$ per month, by events per month', ...loads.map(whole)],
    [
      ...found[0]!.lines.map(({ service }, index) =>
        row(service, ({ lines }) => lines[index]!.perMonth),
      ),
      row('**Milepost**', ({ perMonth }) => perMonth),
      row('per million events', ({ perMillion }) => perMillion),
    ],
  );
}

/** The shares of provisioned capacity that the page compares, in percent. */
const usedShares = [80, 70, 50, 25];

function capacities(): string {
  const services = ['DynamoDB, units', 'DynamoDB, capacity', 'Auto scaling'];
  const row = (name: string, capacityUtilization?: number) => {
    const cells = loads.map((events) => {
      const { lines } = monthlyCostOf({ ...usageOf(events), capacityUtilization });
      const wanted = lines.filter(({ service }) => services.includes(service));
      return money(wanted.reduce((sum, { perMonth }) => sum + perMonth, 0));
    });
    return [name, ...cells];
  };
  return table(
    ['$ per month, by events per month', ...loads.map(whole)],
    [
      row('on demand'),
      ...usedShares.map((utilization) => row(`provisioned, ${utilization}% used`, utilization)),
    ],
  );
}

/** Creates the table of costs for a month of events at the full rate of a shard. */
function steadyLoads(): string {
  const events = 1_000 * 30 * 86_400;
  return table(
    ['$ per million events', 'on demand', ...usedShares.map((each) => `${each}% used`)],
    (['A', 'B'] as const).map((name) => {
      const work: MeasuredWork = measuredWorks[name];
      const { dynamoDb, lambda, logs, kinesisOnDemand } = dollarsOfWork(work);
      const others = lambda + logs + kinesisOnDemand;
      const { writeUnits, readUnits } = work.perEvent;
      const units = { writeUnits: writeUnits * events, readUnits: readUnits * events };
      const provisioned = usedShares.map((utilization) => {
        const { perMonth, alarmsPerMonth } = provisionedCost(units, utilization);
        return ((perMonth + alarmsPerMonth) * 1e6) / events;
      });
      return [name, ...[dynamoDb, ...provisioned].map((each) => cents(others + each))];
    }),
  );
}

/** The shares of notifications on the bus that the page compares, from 0 to 1. */
const publishedShares = [1, 0.1, 0.01, 0];

function publications(): string {
  return table(
    [
      '$ per million events',
      'no notifications',
      ...publishedShares.map((share) =>
        share === 0 ? 'only the stream' : `${100 * share}% on the bus`,
      ),
    ],
    (['A', 'A, one event per batch', 'B'] as const).map((name) => {
      const work: MeasuredWork = measuredWorks[name];
      const totalWith = (changed: Partial<MeasuredWork['perEvent']>) =>
        totalOf(dollarsOfWork({ ...work, perEvent: { ...work.perEvent, ...changed } }));
      const silent = { busEvents: 0, publisherBatches: 0, notificationRecords: 0 };
      const published = publishedShares.map((share) =>
        totalWith(
          share === 0
            ? { busEvents: 0, publisherBatches: 0 }
            : { busEvents: share * work.perEvent.busEvents },
        ),
      );
      return [name, ...[totalWith(silent), ...published].map(cents)];
    }),
  );
}

function latencies(): string {
  const services = ['Lambda', 'CloudWatch Logs', 'Kinesis on demand'];
  const row = (name: string, lowLatency: boolean) => {
    const cells = loads.map((events) => {
      const { lines } = monthlyCostOf({ ...usageOf(events), lowLatency });
      const wanted = lines.filter(({ service }) => services.includes(service));
      return money(wanted.reduce((sum, { perMonth }) => sum + perMonth, 0));
    });
    return [name, ...cells];
  };
  return table(
    ['$ per month, by events per month', ...loads.map(whole)],
    [row('Lambda reads the shards', false), row('`lowLatency`', true)],
  );
}

function timers(): string {
  const costs = loads.map(timerCost);
  return table(
    ['by timers per month', ...loads.map(whole)],
    [
      ['$ per month', ...costs.map(({ perMonth }) => money(perMonth))],
      ['$ per million timers', ...costs.map(({ perMillion }) => money(perMillion))],
    ],
  );
}

function canary(): string {
  const lines = canaryCost();
  const total = lines.reduce((sum, { perMonth }) => sum + perMonth, 0);
  return table(
    ['item', 'amount per month', '$ per month'],
    [
      ...lines.map(({ service, amount, perMonth }) => [service, amount, money(perMonth)]),
      ['**total**', '', money(total)],
    ],
    2,
  );
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columnsOfText = 1,
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column < columnsOfText ? '---' : '--:'));
  return [head, rule, ...rows].map(line).join('\n');
}

const whole = (number: number) => Math.round(number).toLocaleString('en');
const cents = (dollars: number) => dollars.toFixed(2);
const money = (dollars: number) =>
  dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
