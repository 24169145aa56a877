import type { Cli } from '../cli.ts';
import type { OnSkipped } from '../client/read-instance.ts';
import { escapeControls } from '../output/escape.ts';
import type { ProgressLine } from '../output/progress-line.ts';

/**
 * Warns of each instance that is left out, a line each, and has the run end with status 1.
 *
 * @param part which part of it is left out, such as "the events of "; default: all of it.
 */
export function reportSkipped(cli: Cli, progress: ProgressLine, part = ''): OnSkipped {
  return ({ model, transaction }, reason) => {
    progress.clear();
    cli.note(`warning: left out ${part}${escapeControls(`${model}/${transaction}`)}: ${reason}`);
    cli.status = 1;
  };
}
