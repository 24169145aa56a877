import { type Command, InvalidArgumentError, Option } from 'commander';
import { type MonthlyCost, monthlyCostOf } from '../../../cost/monthly-cost.ts';
import { pricesAsOf } from '../../../cost/prices.ts';
import { type Usage, usageOf } from '../../../cost/usage.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { examples } from '../../options/arguments.ts';
import type { Cell, Column } from '../../output/table.ts';

/** Workloads A, B, and C from `docs/reference/cost.md` and the benchmarks. */
const works = {
  A: { eventsPerInstance: 5, eventsPerCommit: 1 },
  B: { eventsPerInstance: 5, eventsPerCommit: 5 },
  C: { eventsPerInstance: 50_000, eventsPerCommit: 500 },
} as const;

interface CostOptions extends GlobalOptions, Partial<Omit<Usage, 'eventsPerMonth' | 'memory'>> {
  readonly eventsPerMonth: number;
  readonly work?: keyof typeof works;
  readonly modelMemory?: number;
  readonly dispatcherMemory?: number;
}

const columns: readonly Column[] = [
  { header: 'service', min: 12 },
  { header: 'usage', min: 12 },
  { header: '$ per month', align: 'right' },
  { header: '$ per million', align: 'right' },
];

/** The defaults that the help texts state. These defaults do not depend on the number of events per month. */
const defaults = usageOf(1);

/** `milepost cost`: estimates the monthly cost of a workload on AWS. */
export function addCost(program: Command, cli: Cli): void {
  const command = program
    .command('cost')
    .summary('estimate the monthly cost on AWS')
    .description(
      'Estimates the monthly cost in us-east-1 at list prices, from your numbers and measured ' +
        'consumption. Does not need a running service.',
    )
    .addOption(
      option(
        '--events-per-month <n>',
        'the number of events per month, such as 500k or 10M',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--work <work>',
        'A: five events per instance, far apart; B: five events per instance, together; C: all events to one instance',
      )
        .choices(Object.keys(works))
        .conflicts(['eventsPerInstance', 'eventsPerCommit']),
    )
    .addOption(
      option(
        '--events-per-instance <n>',
        `the number of events per instance (default: ${defaults.eventsPerInstance})`,
      ),
    )
    .addOption(
      option(
        '--events-per-commit <n>',
        `the number of events per commit (default: ${defaults.eventsPerCommit})`,
      ),
    )
    .addOption(
      option(
        '--row-changes <n>',
        `the number of status row changes per instance (default: ${defaults.rowChanges})`,
      ),
    )
    .addOption(
      option(
        '--event-bytes <n>',
        `the size of an event in bytes (default: ${defaults.eventBytes})`,
      ),
    )
    .addOption(
      option('--state-bytes <n>', `the size of a state in bytes (default: ${defaults.stateBytes})`),
    )
    .addOption(
      option(
        '--notifications-per-event <n>',
        `the number of notifications per event (default: ${defaults.notificationsPerEvent})`,
        {
          least: 0,
        },
      ),
    )
    .addOption(
      option(
        '--published-per-event <n>',
        'the number of notifications per event that are published on the EventBridge bus (default: all)',
        { least: 0 },
      ),
    )
    .addOption(
      option(
        '--api-reads <n>',
        `the number of API requests per month (default: ${defaults.apiReads})`,
        { least: 0 },
      ),
    )
    .addOption(
      option(
        '--retention-days <n>',
        `the retention of the event stream in days (default: ${defaults.retentionDays})`,
        {
          most: 7,
        },
      ),
    )
    .addOption(
      option(
        '--instances-kept <n>',
        'the number of stored instances (default: the instances of one month)',
        {
          least: 0,
        },
      ),
    )
    .addOption(
      option(
        '--model-ms <n>',
        'the CPU time of the model per event in ms (default: the measured time)',
        { least: 0 },
      ),
    )
    .addOption(
      option(
        '--model-memory <mb>',
        `the memory of the model's function in MB (default: ${defaults.memory.model})`,
        {
          least: 128,
        },
      ),
    )
    .addOption(
      option(
        '--dispatcher-memory <mb>',
        `the memory of the dispatcher in MB (default: ${defaults.memory.dispatcher})`,
        {
          least: 128,
        },
      ),
    )
    .addOption(
      option(
        '--capacity-utilization <percent>',
        'the average utilization of provisioned capacity (`instancesCapacity`) in percent (default: on-demand capacity)',
        { most: 100 },
      ),
    )
    .option(
      '--low-latency',
      'estimate with enhanced fan-out, which pushes records to the dispatcher (`lowLatency`)',
    )
    .addHelpText(
      'after',
      examples(
        'cost --events-per-month 10M',
        'cost --events-per-month 500k --events-per-instance 12 --event-bytes 2k --json',
      ),
    );
  command.action((_: unknown, self: Command) => {
    const options = self.optsWithGlobals<CostOptions>();
    const usage = readUsage(options);
    if (usage.eventsPerCommit > usage.eventsPerInstance)
      self.error(
        `error: --events-per-commit (${usage.eventsPerCommit}) must not exceed --events-per-instance (${usage.eventsPerInstance})`,
      );
    if ((usage.publishedPerEvent ?? 0) > usage.notificationsPerEvent)
      self.error(
        `error: --published-per-event (${usage.publishedPerEvent}) must not exceed --notifications-per-event (${usage.notificationsPerEvent})`,
      );
    const month = monthlyCostOf(usage);
    if (options.json) cli.printData({ pricesOf: pricesAsOf, usage, month });
    else printMonth(cli, usage, month);
  });
}

function option(
  flags: string,
  description: string,
  { least = 1, most = Infinity }: { least?: number; most?: number } = {},
): Option {
  return new Option(flags, description).argParser((text) => {
    const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([kMG]?)$/.exec(text) ?? [];
    const number = Number(digits) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit]!;
    if (!(number >= least && number <= most)) {
      throw new InvalidArgumentError(
        most === Infinity
          ? `It must be a number of at least ${least}, such as 500k or 10M.`
          : `It must be a number from ${least} to ${most}.`,
      );
    }
    return number;
  });
}

function readUsage(options: CostOptions): Usage {
  const { eventsPerMonth, work, modelMemory, dispatcherMemory } = options;
  const common = usageOf(eventsPerMonth);
  const given = { ...options, ...(work && works[work]) };
  const eventsPerInstance = given.eventsPerInstance ?? common.eventsPerInstance;
  return {
    eventsPerMonth,
    eventsPerInstance,
    eventsPerCommit: given.eventsPerCommit ?? common.eventsPerCommit,
    rowChanges: options.rowChanges ?? common.rowChanges,
    eventBytes: options.eventBytes ?? common.eventBytes,
    stateBytes: options.stateBytes ?? common.stateBytes,
    notificationsPerEvent: options.notificationsPerEvent ?? common.notificationsPerEvent,
    publishedPerEvent: options.publishedPerEvent,
    apiReads: options.apiReads ?? common.apiReads,
    retentionDays: options.retentionDays ?? common.retentionDays,
    instancesKept: options.instancesKept ?? eventsPerMonth / eventsPerInstance,
    memory: {
      dispatcher: dispatcherMemory ?? common.memory.dispatcher,
      model: modelMemory ?? common.memory.model,
    },
    modelMs: options.modelMs,
    lowLatency: options.lowLatency,
    capacityUtilization: options.capacityUtilization,
  };
}

function printMonth(cli: Cli, usage: Usage, month: MonthlyCost): void {
  const millions = usage.eventsPerMonth / 1e6;
  const row = (service: string, amount: string, perMonth: number): Cell[] => [
    service,
    amount,
    dollars(perMonth),
    dollars(perMonth / millions),
  ];
  const total = row('Milepost', 'total', month.perMonth);
  cli.printTable(
    columns,
    [
      ...month.lines.map(({ service, amount, perMonth }) => row(service, amount, perMonth)),
      total.map((cell): Cell => ({ text: cell as string, style: 'bold' })),
    ],
    '',
  );
  cli.note(`List prices in us-east-1 as of ${pricesAsOf}; see docs/reference/cost.md.`);
}

const dollars = (amount: number) =>
  amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
