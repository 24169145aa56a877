import type { Command } from 'commander';
import { answers, type InstanceAnswer } from '../answers.ts';
import { instancePath } from '../api-client.ts';
import { examples, withInstance } from '../arguments.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { bar, escapeJson, percent, relativeTime, shellWord, timeWithDistance } from '../format.ts';
import type { Style } from '../style.ts';
import { renderTable } from '../table.ts';

type Milestone = InstanceAnswer['milestones'][number];

const marks: Readonly<Record<Milestone['state'], { mark: string; style: Style }>> = {
  reached: { mark: '✔', style: 'green' },
  current: { mark: '●', style: 'cyan' },
  pending: { mark: '○', style: 'dim' },
  late: { mark: '!', style: 'red' },
  skipped: { mark: '–', style: 'dim' },
};

/** `milepost status`: one instance, where it is now. */
export function addStatus(program: Command, cli: Cli): void {
  withInstance(program.command('status'))
    .summary('show where an instance is now')
    .description('Shows where an instance is now. Times are in the local zone.')
    .option('--state', 'show its state too')
    .addHelpText('after', examples('status activation ATV-123 --state'))
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<GlobalOptions & { state?: true }>();
      const answer = await cli.api(self).get(instancePath(model, transaction));
      if (options.json) cli.printJson(answer);
      else {
        const instance = answer.read(answers.instance);
        cli.print(renderInstance(instance, cli));
        if (options.state)
          cli.print(section(cli, 'State', escapeJson(JSON.stringify(instance.state, null, 2))));
      }
    });
}

function renderInstance(instance: InstanceAnswer, cli: Cli): string {
  const { model, transaction, progress, milestones, timers, parked } = instance;
  const facts: readonly (readonly [string, string])[] = [
    ['Status', cli.paint('bold', instance.status)],
    ['Parked', parked === 0 ? '' : parkedText(instance, cli)],
    ['Since', timeWithDistance(instance.statusSince)],
    ['Progress', progress === null ? '' : `${bar(progress, 20)} ${percent(progress)}`],
    ['Done', instance.done ? 'yes' : 'no'],
    ['Started', timeWithDistance(instance.startedAt)],
    ['Updated', timeWithDistance(instance.updatedAt)],
    ['Version', `${instance.version} (model version ${instance.modelVersion})`],
  ];
  const parts = [
    cli.paint('bold', `${model}/${transaction}`),
    ...facts.filter(([, value]) => value !== '').map(([name, value]) => name.padEnd(10) + value),
  ];
  if (milestones.length > 0)
    parts.push(section(cli, 'Milestones', renderMilestones(milestones, cli)));
  if (timers.length > 0) {
    const rows = timers.map(({ name, dueAt }) => [name, `due ${when(dueAt, cli)}`]);
    parts.push(
      section(cli, 'Timers', renderTable([{ header: '', min: 8 }, { header: '' }], rows, cli)),
    );
  }
  return parts.join('\n');
}

function parkedText({ model, transaction, parked }: InstanceAnswer, cli: Cli): string {
  const events = `${parked} ${parked === 1 ? 'event' : 'events'}`;
  const words = [model, transaction].map(shellWord);
  if (words.some((word) => word.startsWith('-'))) words.unshift('--');
  return `${cli.paint('red', events)}; to go on: milepost redrive ${words.join(' ')}`;
}

function renderMilestones(milestones: readonly Milestone[], cli: Cli): string {
  const columns = [{ header: '' }, { header: '', min: 8 }, { header: '', min: 5 }];
  const rows = milestones.map((milestone) => {
    const { mark, style } = marks[milestone.state];
    return [{ text: mark, style }, milestone.label, stateText(milestone, cli)];
  });
  return renderTable(columns, rows, cli);
}

function stateText({ state, at, expectedBy }: Milestone, cli: Cli): string {
  if (at) return `${state} ${when(at, cli)}`;
  return expectedBy ? `${state}, expected ${relativeTime(expectedBy)}` : state;
}

/** Beside a name, a narrow terminal has room for the distance alone. */
function when(time: string, { width = 80 }: Cli): string {
  return width < 60 ? relativeTime(time) : timeWithDistance(time);
}

function section(cli: Cli, title: string, text: string): string {
  return `\n${cli.paint('bold', title)}\n${text}`;
}
