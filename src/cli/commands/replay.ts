import { type Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { ReplaySummary } from '../../core/replay-report.ts';
import type { ApiClient } from '../api-client.ts';
import { examples, notEmpty, pathPart } from '../arguments.ts';
import type { Cli, GlobalOptions } from '../cli.ts';
import { escapeJson } from '../format.ts';
import { moment } from '../moment.ts';
import { ProgressLine } from '../progress-line.ts';
import { candidateIn } from '../replay/candidate.ts';
import { replayHistories, type Which } from '../replay/histories.ts';
import { reportText } from '../replay/report-view.ts';

interface ReplayOptions extends GlobalOptions, Which {
  readonly model?: string;
  readonly with?: string;
}

/** `milepost replay`: what another model would have made of what happened. */
export function addReplay(program: Command, cli: Cli): void {
  program
    .command('replay')
    .summary('fold real history with a changed model, and say what would differ')
    .description(
      'Folds the history of every instance of a model with a candidate for it, from the first event on, ' +
        'and says what would differ: statuses, rejections, states, each with examples. It writes ' +
        'nothing. The candidate is run here, and is not deployed.',
    )
    .addOption(new Option('--model <model>', "the model's id").argParser(pathPart))
    .addOption(
      new Option('--with <path>', 'the file that exports the candidate').argParser(notEmpty),
    )
    .addOption(
      new Option('--transaction <transaction>', 'only this instance')
        .argParser(pathPart)
        .conflicts(['since', 'limit']),
    )
    .addOption(
      new Option(
        '--since <time>',
        'only instances that changed then or later, each with all of its history',
      ).argParser(moment),
    )
    .addOption(new Option('--limit <n>', 'no more instances than this').argParser(atLeastOne))
    .addHelpText(
      'after',
      examples(
        'replay --with ./models/orders/model.ts',
        'replay --model orders --with ./new-orders.ts --since 2026-01-31',
      ),
    )
    .action(async (_: unknown, self: Command) => {
      const options = self.optsWithGlobals<ReplayOptions>();
      if (options.with === undefined) self.error('error: replay needs --with, a file with a model');
      const candidate = await candidateIn(options.with, options.model, (url) => import(url));
      if ('wrong' in candidate) self.error(`error: ${candidate.wrong}`);
      await tryOut(cli, self, candidate.model);
    });
}

function atLeastOne(text: string): number {
  const n = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (n < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return n;
}

async function tryOut(cli: Cli, self: Command, model: Parameters<typeof replayHistories>[1]) {
  const { json, since, limit, transaction } = self.optsWithGlobals<ReplayOptions>();
  const api = cli.api(self);
  const progress = new ProgressLine(cli.context.stderr);
  const summary = new ReplaySummary(model);
  try {
    const isWhole = [since, limit, transaction].every((each) => each === undefined);
    const total = cli.context.stderr.isTTY && isWhole ? await totalOf(api, model.id) : undefined;
    for await (const page of replayHistories(api, model, { since, limit, transaction })) {
      for (const each of page) summary.add(each.transaction, each.replayed);
      const { instances, events, different } = summary.size;
      const share = total === undefined ? undefined : Math.min(1, instances / Math.max(1, total));
      progress.show(share, `${instances} instances, ${events} events, ${different} would differ`);
    }
  } finally {
    progress.clear();
  }
  const report = summary.report();
  if (!json) return cli.print(reportText(report, cli));
  const text = JSON.stringify(report);
  cli.print(cli.context.stdout.isTTY ? escapeJson(text) : text);
}

const overview = v.object({
  models: v.array(
    v.object({
      id: v.string(),
      statuses: v.array(v.object({ instances: v.number(), more: v.boolean() })),
    }),
  ),
});

/** How many instances of a model there are; undefined where there are too many to be counted. */
async function totalOf(api: ApiClient, model: string): Promise<number | undefined> {
  const { models } = (await api.get('/overview')).read(overview);
  const statuses = models.find(({ id }) => id === model)?.statuses ?? [];
  if (statuses.length === 0 || statuses.some(({ more }) => more)) return undefined;
  return statuses.reduce((sum, { instances }) => sum + instances, 0);
}
