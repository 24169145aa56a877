import { type Command, InvalidArgumentError, Option } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { CheckResult } from '../../../conformance/check.ts';
import type { Target } from '../../../conformance/main.ts';
import { MilepostError } from '../../../core/errors.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { examples, notEmpty } from '../../options/arguments.ts';

interface ConformanceOptions extends GlobalOptions {
  readonly command?: string;
  readonly python?: string;
  readonly function?: string;
  readonly endpointUrl?: string;
  readonly samples?: string;
  readonly timeout: number;
}

/** `milepost conformance`: tests a model function against the protocol. */
export function addConformance(program: Command, cli: Cli): void {
  const only = (flags: string, description: string, ...others: string[]) =>
    new Option(flags, description).argParser(notEmpty).conflicts(others);
  const command = program
    .command('conformance')
    .summary('test a model function in any language against the protocol')
    .description(
      'Tests a model function against the protocol in docs/reference/model-function-protocol.md: the description that it returns, your samples, ' +
        'and the rules that every function must follow. Does not need a running service.',
    )
    .addOption(
      only(
        '--command <command>',
        'a program that implements the Lambda Runtime API',
        'python',
        'function',
      ),
    )
    .addOption(
      only('--python <handler>', 'a Python handler: folder/module.handler', 'function').argParser(
        pythonHandler,
      ),
    )
    .addOption(only('--function <name>', 'the name or ARN of a deployed function'))
    .addOption(
      only(
        '--endpoint-url <url>',
        'the URL of the Lambda endpoint, if the function is not in AWS',
        'command',
        'python',
      ).argParser(httpUrl),
    )
    .addOption(only('--samples <file>', 'a JSON file of histories with the expected results'))
    .addOption(
      new Option('--timeout <seconds>', 'how long to wait for a response')
        .default(30)
        .argParser(seconds),
    )
    .addHelpText(
      'after',
      examples(
        'conformance --python examples/python/library_loan.handler --samples examples/python/samples.json',
        "conformance --command './bootstrap' --samples samples.json",
        'conformance --function library-loan --samples samples.json',
      ),
    );
  command.action(async (_: unknown, self: Command) => {
    const options = self.optsWithGlobals<ConformanceOptions>();
    const target = targetOf(options);
    if (!target)
      return self.error('error: conformance requires --command, --python, or --function');
    try {
      await test(cli, options, target);
    } catch (error) {
      if (!(error instanceof MilepostError) || error.code !== 'bad-request') throw error;
      cli.note(`error: ${escapeControls(error.message)}`);
      cli.status = 1;
    }
  });
}

async function test(
  cli: Cli,
  { samples, timeout, json }: ConformanceOptions,
  target: Target,
): Promise<void> {
  /** The program's output since the last result. It is printed if the check fails. */
  let written: string[] = [];
  const report = await cli.context.testConformance({
    target,
    samples,
    timeoutSeconds: timeout,
    env: cli.context.env,
    tell: (result) => {
      if (!json) cli.print(line(cli, result));
      if (result.outcome === 'failed')
        for (const text of written) cli.note(cli.paint('dim', `    ${escapeControls(text)}`));
      written = [];
    },
    log: (text) => written.push(text),
  });
  const failed = report.results.filter(({ outcome }) => outcome === 'failed').length;
  const passed = report.results.length - failed;
  if (json) cli.printData({ ...report, passed, failed });
  else {
    cli.print(`\n${passed} passed, ${failed} failed`);
    if (report.untried.length > 0)
      cli.note(
        `No sample contains an event of these types: ${report.untried.map(escapeControls).join(', ')}`,
      );
  }
  if (failed > 0) cli.status = 1;
}

function line(cli: Cli, { name, outcome, detail }: CheckResult): string {
  const mark = outcome === 'passed' ? cli.paint('green', '✓') : cli.paint('red', '✗');
  const why = detail === undefined ? '' : `\n    ${escapeControls(detail)}`;
  return `${mark} ${escapeControls(name)}${why}`;
}

function targetOf(options: ConformanceOptions): Target | undefined {
  if (options.command !== undefined) return { command: options.command };
  if (options.python !== undefined) return { python: options.python };
  if (options.function === undefined) return undefined;
  return { function: options.function, endpoint: options.endpointUrl };
}

function pythonHandler(text: string): string {
  if (/[^/]\.[^./]+$/.test(text)) return text;
  throw new InvalidArgumentError('It must have the form folder/module.handler.');
}

function httpUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:4569.');
}

function seconds(text: string): number {
  const number = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && number > 0 && number <= 900) return number;
  throw new InvalidArgumentError('It must be a positive number of seconds, at most 900.');
}
