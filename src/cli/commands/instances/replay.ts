import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { messageOf } from '../../../common/message-of.ts';
import { ReplaySummary } from '../../../core/replay/replay-report.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { modelPath } from '../../client/api-paths.ts';
import { countInstances, fractionOf } from '../../client/count-instances.ts';
import { SkippedInstances } from '../../export/skipped-instances.ts';
import { examples, notEmpty, pathSegment, withModelOption } from '../../options/arguments.ts';
import { positiveInteger } from '../../options/numbers.ts';
import { parseTimestamp } from '../../options/parse-timestamp.ts';
import { count } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';
import { AuditSummary } from '../../replay/audit-summary.ts';
import { auditText } from '../../replay/audit-view.ts';
import { type AuditOptions, auditPages } from '../../replay/audits.ts';
import { loadCandidate } from '../../replay/candidate.ts';
import { importBundled } from '../../replay/import-bundled.ts';
import { ProgressFile } from '../../replay/progress-file.ts';
import { replayHistories } from '../../replay/replay-histories.ts';
import { reportText } from '../../replay/report-view.ts';

interface ReplayOptions extends GlobalOptions, AuditOptions {
  readonly model?: string;
  readonly with?: string;
  readonly progress?: string;
}

/** `milepost replay`: folds histories again, reports the differences, and with `--apply`, rebuilds instances. */
export function addReplay(program: Command, cli: Cli): void {
  withModelOption(program.command('replay'), "the model's id")
    .summary('replay recorded histories and report differences')
    .description(
      "Replays the history of each of a model's instances from the first event, and reports differences, for example in " +
        'statuses, rejections, and states. --with runs a changed model on this machine, without deploying it. Without ' +
        '--with, replays with the deployed model and also checks status rows. Writes nothing unless --apply rebuilds ' +
        'the instances that differ.',
    )
    .addOption(
      new Option('--with <path>', 'the file that exports the changed model').argParser(notEmpty),
    )
    .addOption(
      new Option('--transaction <transaction>', 'only this instance')
        .argParser(pathSegment)
        .conflicts(['since', 'limit']),
    )
    .addOption(
      new Option(
        '--since <time>',
        'only instances that changed at or after this time, each with its entire history',
      ).argParser(parseTimestamp),
    )
    .addOption(
      new Option('--limit <n>', 'the maximum number of instances').argParser(positiveInteger),
    )
    .option('--apply', 'rebuild instances and status rows that differ, with the deployed model')
    .option('--rows', 'check status rows only, without folding histories')
    .addOption(
      new Option(
        '--progress <path>',
        'save progress in this file, so that the same command can resume',
      )
        .argParser(notEmpty)
        .conflicts(['transaction', 'limit']),
    )
    .addHelpText(
      'after',
      examples(
        'replay --with ./models/orders/model.ts',
        'replay --model orders --with ./new-orders.ts --since 2026-01-31',
        'replay --model orders',
        'replay --model orders --apply --progress rebuild.json',
      ),
    )
    .action(async (_model: unknown, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<ReplayOptions>();
      if (options.with === undefined) {
        if (options.model === undefined)
          self.error('error: replay requires --model, or --with and a file that exports a model');
        await auditDeployedModel(cli, self, options.model);
        return;
      }
      if (options.apply)
        self.error(
          'error: --apply uses the deployed model: deploy the changed model first, then omit --with',
        );
      if (options.rows || options.progress !== undefined)
        self.error('error: --rows and --progress cannot be used with --with');
      const candidate = await loadCandidate(options.with, options.model, importBundled);
      if ('wrong' in candidate) self.error(`error: ${candidate.wrong}`);
      await replayCandidate(cli, self, candidate.model);
    });
}

async function replayCandidate(
  cli: Cli,
  self: Command,
  model: Parameters<typeof replayHistories>[1],
) {
  const { json, since, limit, transaction } = self.optsWithGlobals<ReplayOptions>();
  const api = cli.api(self);
  const progress = new ProgressLine(cli.context);
  const summary = new ReplaySummary(model);
  const skipped = new SkippedInstances(cli, progress);
  const which = { since, limit, transaction, onSkipped: skipped.add };
  try {
    const isWhole = [since, limit, transaction].every((each) => each === undefined);
    const total =
      cli.context.stderr.isTTY && isWhole ? await countInstances(api, [model.id]) : undefined;
    for await (const page of replayHistories(api, model, which)) {
      for (const each of page) summary.add(each.transaction, each.replayed);
      const { instances, events, different } = summary.size;
      progress.show(
        fractionOf(instances, total),
        `${count(instances, 'instance')}, ${count(events, 'event')}, ${different} differ`,
      );
    }
  } finally {
    progress.clear();
  }
  const report = summary.report();
  if (json) cli.printData(report);
  else cli.print(reportText(report, cli));
  skipped.printTotal('report');
}

/** Audits instances in the service because only the service can run the deployed model. */
async function auditDeployedModel(cli: Cli, self: Command, model: string): Promise<void> {
  const { json, since, limit, transaction, apply, rows, ...options } =
    self.optsWithGlobals<ReplayOptions>();
  const api = cli.api(self, { timeoutMs: 120_000 });
  const file = options.progress
    ? new ProgressFile(options.progress, { model, since, apply, rows })
    : undefined;
  const orUsage = <Value>(work: Promise<Value> | undefined) =>
    work?.catch((error: unknown) => self.error(`error: ${messageOf(error)}`));
  const from = await orUsage(file?.read());
  const { version } = (await api.get(modelPath(model))).read(versioned);
  const summary = new AuditSummary({ id: model, version });
  const progress = new ProgressLine(cli.context);
  try {
    const isWhole = [since, limit, transaction, from].every((each) => each === undefined);
    const total =
      cli.context.stderr.isTTY && isWhole ? await countInstances(api, [model]) : undefined;
    const asked = { transaction, since, limit, apply, rows };
    for await (const page of auditPages(api, model, asked, from)) {
      summary.add(page);
      if (page.cursor !== undefined) await orUsage(file?.write(page.cursor));
      const { audited, toRebuild } = summary.size;
      progress.show(
        fractionOf(audited, total),
        `${count(audited, 'instance')}, ${toRebuild} to rebuild`,
      );
    }
    await file?.remove();
  } finally {
    progress.clear();
  }
  const report = summary.report();
  if (from !== undefined)
    cli.note('resumed: the report does not include instances from earlier runs');
  if (json) cli.printData(report);
  else cli.print(auditText(report, cli, apply ?? false));
}

const versioned = v.object({ version: v.number() });
