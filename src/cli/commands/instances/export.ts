import { type Command, Option } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { countInstances, fractionOf } from '../../client/count-instances.ts';
import { readModelIds } from '../../client/model-ids.ts';
import { exportPages } from '../../export/export-lines.ts';
import {
  type ExportTarget,
  ExportTargetError,
  fileTarget,
  outputTarget,
} from '../../export/export-target.ts';
import { SkippedInstances } from '../../export/skipped-instances.ts';
import { untilInterrupted } from '../../interrupt.ts';
import { examples, notEmpty, withModelOption } from '../../options/arguments.ts';
import { parseTimestamp } from '../../options/parse-timestamp.ts';
import { count } from '../../output/format.ts';
import { ProgressLine } from '../../output/progress-line.ts';

interface ExportOptions extends GlobalOptions {
  readonly model?: string;
  readonly since?: number;
  readonly history?: true;
  readonly output?: string;
}

/** `milepost export`: writes instances and their histories as NDJSON. */
export function addExport(program: Command, cli: Cli): void {
  withModelOption(
    program.command('export'),
    'only instances of this model (default: all registered models)',
  )
    .summary('export instances and their histories as NDJSON')
    .description(
      'Writes each instance as a line of JSON, {"instance": ...}. With --history, the lines of its ' +
        'events follow, {"model", "transaction", "entry": ...}, oldest first. Every instance that ' +
        'exists when the export starts appears exactly once, even if instances change during the ' +
        'export. If an instance or its events cannot be read, prints a warning with the reason, ' +
        'exports everything else, and exits with status 1.',
    )
    .addOption(
      new Option(
        '--since <time>',
        'only instances that changed at or after this time (RFC 3339)',
      ).argParser(parseTimestamp),
    )
    .option('--history', 'include the events of each instance')
    .option(
      '-o, --output <path>',
      'the file to write, which appears when the export is complete, or - for standard output; devices and named pipes are written directly (default: -)',
      notEmpty,
    )
    .addHelpText(
      'after',
      examples('export --history -o all.ndjson', 'export --model orders | gzip'),
    )
    .action(async (_model: unknown, _: unknown, self: Command) => {
      const { output } = self.optsWithGlobals<ExportOptions>();
      const target =
        output === undefined || output === '-'
          ? outputTarget(cli.context.stdout)
          : await openTarget(output, self);
      try {
        const interruptedWith = await untilInterrupted(cli.signals, (signal) =>
          write(cli, self, target, signal),
        );
        cli.status = interruptedWith ?? cli.status;
      } catch (error) {
        if (!(error instanceof ExportTargetError)) throw error;
        cli.note(`error: ${error.message}`);
        cli.status = 1;
      }
    });
}

async function openTarget(path: string, self: Command): Promise<ExportTarget> {
  try {
    return await fileTarget(path);
  } catch (error) {
    if (!(error instanceof ExportTargetError)) throw error;
    return self.error(`error: ${error.message}`);
  }
}

async function write(
  cli: Cli,
  self: Command,
  target: ExportTarget,
  signal: AbortSignal,
): Promise<void> {
  const { model, since, history = false } = self.optsWithGlobals<ExportOptions>();
  const api = cli.api(self, { signal });
  const progress = new ProgressLine(cli.context);
  let [read, instances, events] = [0, 0, 0];
  const skipped = new SkippedInstances(cli, progress);
  try {
    const models = model === undefined ? await readModelIds(api) : [model];
    const total = cli.context.stderr.isTTY ? await countInstances(api, models) : undefined;
    const show = (done: number) =>
      progress.show(fractionOf(done, total), summaryOf(instances, events, history));
    for await (const page of exportPages(api, {
      models,
      since,
      history,
      onSkipped: skipped.add,
    })) {
      let ofPage = 0;
      for await (const lines of page.instances) {
        let isFirst = true;
        for await (const line of lines) {
          await target.write(`${line}\n`);
          if (isFirst) instances += 1;
          else events += 1;
          isFirst = false;
        }
        ofPage += 1;
        show(read + ofPage);
      }
      read += page.instancesRead;
      show(read);
    }
    await target.finish();
  } catch (error) {
    await target.abandon();
    throw error;
  } finally {
    progress.clear();
  }
  cli.note(`exported ${summaryOf(instances, events, history)}`);
  skipped.printTotal('export');
}

const summaryOf = (instances: number, events: number, history: boolean) =>
  `${count(instances, 'instance')}${history ? `, ${count(events, 'event')}` : ''}`;
