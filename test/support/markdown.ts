import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The project's folder. */
export const root = join(import.meta.dirname, '..', '..');

/** A page of Markdown in the project. */
export interface Page {
  /** Its path in the project. */
  readonly path: string;
  readonly text: string;
}

/** A block of code on a page. */
export interface Fence {
  /** The page's path, and the line that the code starts in: where an editor goes. */
  readonly path: string;
  readonly line: number;
  /** What the code is in, `ts`; empty for output and other plain text. */
  readonly language: string;
  readonly code: string;
  /** The file that a reader puts it into, from `<!-- file: PATH -->` before it. */
  readonly file: string | undefined;
  /** What stands around it, from `<!-- around: CODE -->`: a line `…` is where it goes, or below it all. */
  readonly around: string | undefined;
  /** Why it is not checked, from `<!-- unchecked: WHY -->`. */
  readonly unchecked: string | undefined;
}

/** The pages that people read: the README, what is in docs/, and what models say of themselves. */
export async function readPages(): Promise<readonly Page[]> {
  const list = ['ls-files', '-co', '--exclude-standard', '--deduplicate', '*.md'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root });
  const paths = stdout.trim().split('\n').toSorted();
  const pages = paths.map((path) =>
    readFile(join(root, path), 'utf8').then(
      (text) => ({ path, text }),
      // One that is deleted, and not yet committed so, is listed too.
      () => undefined,
    ),
  );
  return (await Promise.all(pages)).filter((page) => page !== undefined);
}

const fence =
  /^(?<before>(?:<!--(?:(?!-->).)*-->\n+)?)```(?<language>[^\n]*)\n(?<code>.*?)^```$/gms;

/** The blocks of code of a page, in order. */
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

/** Where a block is, for messages. */
export const placeOf = ({ path, line }: Pick<Fence, 'path' | 'line'>) => `${path}:${line}`;
