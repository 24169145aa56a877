import { escapeControls } from '../../common/escape.ts';
import type { Cli } from '../cli.ts';
import type { OnSkipped } from '../client/read-instance.ts';
import type { ProgressLine } from '../output/progress-line.ts';

/**
 * Prints a warning for each skipped instance, and sets the exit status to 1.
 *
 * @param part the skipped part, such as "the events of "; default: the entire instance.
 */
export function reportSkipped(cli: Cli, progress: ProgressLine, part = ''): OnSkipped {
  return ({ model, transaction }, reason) => {
    progress.clear();
    cli.note(`warning: skipped ${part}${escapeControls(`${model}/${transaction}`)}: ${reason}`);
    cli.status = 1;
  };
}
