import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The project's folder. */
export const root = join(import.meta.dirname, '..', '..');

/** A Markdown page of the project. */
export interface Page {
  /** Its path in the project. */
  readonly path: string;
  readonly text: string;
}

/** A code block of a page. */
export interface Fence {
  /** The page's path and the line at which the code starts, for editors. */
  readonly path: string;
  readonly line: number;
  /** The language, such as `ts`; empty for output and other plain text. */
  readonly language: string;
  readonly code: string;
  /** The file for the code, from `<!-- file: PATH -->` before it. */
  readonly file: string | undefined;
  /** The surrounding code, from `<!-- around: CODE -->`: a line `…` marks the place of the block; default: the end. */
  readonly around: string | undefined;
  /** The reason not to check it, from `<!-- unchecked: WHY -->`. */
  readonly unchecked: string | undefined;
}

/** The pages for readers: the README, those in docs/, and the models' READMEs. */
export async function readPages(): Promise<readonly Page[]> {
  const list = ['ls-files', '-co', '--exclude-standard', '--deduplicate', '*.md'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root });
  const paths = stdout.trim().split('\n').toSorted();
  const pages = paths.map((path) =>
    readFile(join(root, path), 'utf8').then(
      (text) => ({ path, text }),
      // Files whose deletion is not committed are listed too.
      () => undefined,
    ),
  );
  return (await Promise.all(pages)).filter((page) => page !== undefined);
}

const fence =
  /^(?<before>(?:<!--(?:(?!-->).)*-->\n+)?)```(?<language>[^\n]*)\n(?<code>.*?)^```$/gms;

/** The code blocks of a page, in order. */
export function fencesOf({ path, text }: Page): Fence[] {
  return [...text.matchAll(fence)].map((match) => {
    const { before = '', language = '', code = '' } = match.groups!;
    const [, name, value] = /^<!-- (\w+):\s(.*?)\s*-->\n+$/s.exec(before) ?? [];
    const start = match.index + match[0].indexOf('```', before.length);
    return {
      path,
      line: text.slice(0, start).split('\n').length + 1,
      language,
      code,
      file: name === 'file' ? value : undefined,
      around: name === 'around' ? value : undefined,
      unchecked: name === 'unchecked' ? value : undefined,
    };
  });
}

/** The position of a block, for messages. */
export const placeOf = ({ path, line }: Pick<Fence, 'path' | 'line'>) => `${path}:${line}`;
