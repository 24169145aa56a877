import { type Command, Option } from 'commander';
import { escapeControls } from '../../../common/escape.ts';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { responses } from '../../client/responses.ts';
import { untilInterrupted } from '../../interrupt.ts';
import { examples, withInstance } from '../../options/arguments.ts';
import { secondsBetween } from '../../options/numbers.ts';
import { LineView, LiveView, logLine, type WatchView } from '../../views/watch-view.ts';
import { InstancePoller } from '../../watch/instance-poller.ts';

interface WatchOptions extends GlobalOptions {
  /** The polling interval in seconds. */
  readonly interval: number;
}

const maximumPauseMs = 30_000;
const tickMs = 1000;
const answerWithinMs = 10_000;

/** `milepost watch`: shows an instance live. */
export function addWatch(program: Command, cli: Cli): void {
  withInstance(program.command('watch'))
    .summary('show an instance live until it is done')
    .description(
      'Shows an instance live until it is done or you press Ctrl+C. Waits for the instance if it does not ' +
        'exist yet. On a terminal, updates in place. Elsewhere, prints one line per change. With --json, always ' +
        'prints one line of JSON per change.',
    )
    .addOption(
      new Option('--interval <seconds>', 'the polling interval in seconds')
        .default(1)
        .argParser((text) => secondsBetween(0.2, 3600, text)),
    )
    .addHelpText(
      'after',
      examples(
        'watch activation ATV-123',
        'watch map-reduce job-1 --interval 0.2',
        'watch tickets final --json | jq .status',
      ),
    )
    .action(async (model: string, transaction: string, _: unknown, self: Command) => {
      const { interval, json } = self.optsWithGlobals<WatchOptions>();
      await untilInterrupted(cli.signals, async (signal) => {
        // The client does not retry, because the watch loop retries and displays the state of the connection.
        const api = cli.api(self, { signal, timeoutMs: answerWithinMs, attempts: 1 });
        using view = viewOf(cli, escapeControls(`${model}/${transaction}`), json);
        await watch(new InstancePoller(api, model, transaction), view, interval * 1000, (ms) =>
          cli.context.wait(ms, undefined, { signal }),
        );
      });
    });
}

async function watch(
  poll: InstancePoller,
  view: WatchView,
  intervalMs: number,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  let pauseMs = intervalMs;
  for (;;) {
    const sighting = await poll.poll();
    view.show(sighting);
    if (sighting.kind === 'changed' && sighting.instance.done) return;
    pauseMs =
      sighting.kind === 'lost'
        ? Math.max(intervalMs, Math.min(pauseMs * 2, maximumPauseMs))
        : intervalMs;
    for (let left = pauseMs; left > 0; left -= tickMs) {
      view.tick(left);
      await wait(Math.min(left, tickMs));
    }
  }
}

function viewOf(cli: Cli, name: string, json: true | undefined): WatchView {
  if (json)
    return new LineView(cli, name, (_, answer) =>
      // Replacing line breaks is safe because JSON contains them only between tokens, never within a string.
      cli.printJson(
        { ...answer, text: answer.text.replaceAll(/[\r\n]+/g, ' ') },
        responses.instance,
      ),
    );
  const { stdout, env } = cli.context;
  if (stdout.isTTY && env.TERM !== 'dumb') return new LiveView(cli, name);
  return new LineView(cli, name, (instance) =>
    cli.print(logLine(instance, new Date().toISOString())),
  );
}
