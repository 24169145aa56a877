import type { Command } from 'commander';
import { escapeJson } from '../../../common/escape.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { instancePath } from '../../client/api-paths.ts';
import { responses } from '../../client/responses.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { type AsOfOptions, asOfQuery, withAsOf, withEventTime } from '../../options/as-of.ts';
import { renderInstance, renderPastInstance, section } from '../../views/instance-view.ts';

interface StatusOptions extends GlobalOptions, AsOfOptions {
  readonly state?: true;
}

/** `milepost status`: shows an instance, now or in the past. */
export function addStatus(program: Command, cli: Cli): void {
  withEventTime(withAsOf(withInstance(program.command('status'))))
    .summary('show the status of an instance, now or in the past')
    .description(
      'Shows the status, milestones, and timers of an instance, now or in the past. Times are in ' +
        'the local time zone.',
    )
    .option('--state', "also show the instance's state")
    .addHelpText(
      'after',
      examples(
        'status activation ATV-123 --state',
        'status activation ATV-123 --at "2026-11-21 07:00"',
        'status activation ATV-123 --as-of-event-time P1D',
      ),
    )
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const options = self.optsWithGlobals<StatusOptions>();
      const query = asOfQuery(options);
      const answer = await cli.api(self).get(instancePath(model, transaction), query);
      const isPast = Object.values(query).some((each) => each !== undefined);
      if (options.json)
        return cli.printJson(answer, isPast ? responses.pastInstance : responses.instance);
      const past = isPast ? answer.read(responses.pastInstance) : undefined;
      const instance = past ?? answer.read(responses.instance);
      cli.print(past ? renderPastInstance(past, cli) : renderInstance(instance, cli));
      if (options.state)
        cli.print(section('State', escapeJson(JSON.stringify(instance.state, null, 2)), cli));
    });
}
