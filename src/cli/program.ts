import { Command, CommanderError } from 'commander';
import { Cli } from './cli.ts';
import { ApiError, messageWithRemedy } from './client/api-client.ts';
import { addDeadLetters } from './commands/dead-letters/dead-letters.ts';
import { addCalendar } from './commands/development/calendar.ts';
import { addConformance } from './commands/development/conformance.ts';
import { addCost } from './commands/development/cost.ts';
import { addInit } from './commands/development/init.ts';
import { addLocal } from './commands/development/local.ts';
import { addPut } from './commands/events/put.ts';
import { addRedrive } from './commands/events/redrive.ts';
import { addCounts } from './commands/instances/counts.ts';
import { addExplain } from './commands/instances/explain.ts';
import { addExport } from './commands/instances/export.ts';
import { addForget } from './commands/instances/forget.ts';
import { addHistory } from './commands/instances/history.ts';
import { addList } from './commands/instances/list.ts';
import { addReplay } from './commands/instances/replay.ts';
import { addSearch } from './commands/instances/search.ts';
import { addStatus } from './commands/instances/status.ts';
import { addWatch } from './commands/instances/watch.ts';
import { addLink } from './commands/links/link.ts';
import { addLinks } from './commands/links/links.ts';
import { addRevoke } from './commands/links/revoke.ts';
import { addModels } from './commands/registry/models.ts';
import { addRollback } from './commands/registry/rollback.ts';
import { addSla } from './commands/registry/sla.ts';
import { addVersions } from './commands/registry/versions.ts';
import { addDoctor } from './commands/service/doctor.ts';
import { addRebuild } from './commands/service/rebuild.ts';
import { addComplete } from './commands/shell/complete.ts';
import { addCompletion } from './commands/shell/completion.ts';
import { addHelp } from './commands/shell/help.ts';
import type { CliContext, Output } from './context.ts';
import { examples } from './options/arguments.ts';

const defaultApi = 'http://127.0.0.1:4500';

/**
 * Runs a command. Prints an `ApiError` as one line on standard error. Throws only on internal errors.
 *
 * @returns the exit status: 0 for success, 2 for a usage error, 130 or 143 after SIGINT or SIGTERM, and 1 for any other
 *   failure, such as a rejected request.
 */
export async function runCli(context: CliContext): Promise<number> {
  const cli = new Cli(context);
  try {
    await buildProgram(cli).parseAsync(context.argv, { from: 'user' });
    return cli.status;
  } catch (error) {
    if (error instanceof ApiError) {
      cli.note(`error: ${messageWithRemedy(error)}`);
      return 1;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** Builds the CLI with all its commands. */
export function buildProgram(cli: Cli): Command {
  const { version, env, stdout, stderr } = cli.context;
  const program: Command = new Command('milepost')
    .description(
      'Tracks the status of processes: where each process is, what happened, and what is late.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .option(
      '--api <url>',
      'the URL of the service; overrides MILEPOST_API',
      // An empty value is an error: a script may have failed to look up the URL, and the default is another service.
      env.MILEPOST_API ?? defaultApi,
    )
    .option('--json', 'print JSON instead of text')
    // Subcommands inherit the following settings.
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => command.name(),
      // Show only options of the root command. The options of `dead-letters` apply to its list, not to its subcommands.
      visibleGlobalOptions: (command) => (command.parent ? [...program.options] : []),
    })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => helpWidth(stdout),
      getErrHelpWidth: () => helpWidth(stderr),
    })
    .showHelpAfterError('(use --help for usage)')
    .addHelpText(
      'after',
      `${examples('local', 'list --status Stuck')}\n
Services:
  this machine             --api http://127.0.0.1:4500
  AWS                      --api https://API-ID.execute-api.REGION.amazonaws.com
  MiniStack or LocalStack  --api 'http://127.0.0.1:4566/_aws/execute-api/API-ID/$default'
If MILEPOST_TOKEN is set, requests contain it as a bearer token. Otherwise, requests to AWS,
MiniStack, and LocalStack are signed with your AWS credentials.\n
Exit status: 0 for success, 2 for incorrect usage, 130 after Ctrl+C (except for watch and local),
and 1 for any other failure.`,
    );
  const adders = [
    addPut,
    addStatus,
    addWatch,
    addHistory,
    addExplain,
    addExport,
    addList,
    addSearch,
    addCounts,
    addModels,
    addSla,
    addVersions,
    addRollback,
    addDeadLetters,
    addRedrive,
    addReplay,
    addRebuild,
    addLink,
    addLinks,
    addRevoke,
    addForget,
    addDoctor,
    addCost,
    addLocal,
    addInit,
    addCalendar,
    addConformance,
    addCompletion,
    addComplete,
    addHelp,
  ];
  for (const add of adders) add(program, cli);
  return program;
}

const helpWidth = (output: Output) => (output.isTTY && output.columns) || 80;
