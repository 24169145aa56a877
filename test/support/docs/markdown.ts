import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '..', '..', '..');

/** A Markdown page, with its path in the project. */
export interface Page {
  /** The path of the page in the project. */
  readonly path: string;
  readonly text: string;
}

/** A code block on a page. */
export interface Fence {
  /** The path of the page and the line number where the code starts. */
  readonly path: string;
  readonly line: number;
  /** The language of the code, such as `ts`. Empty for output and other plain text. */
  readonly language: string;
  readonly code: string;
  /** The file that readers write the code to, from `<!-- file: PATH -->` before the block. */
  readonly file: string | undefined;
  /**
   * The surrounding code, from `<!-- around: CODE -->`. A line `…` marks the place of the block; without it, the block
   * follows the code.
   */
  readonly around: string | undefined;
  /** The reason that the block is not checked, from `<!-- unchecked: WHY -->`. */
  readonly unchecked: string | undefined;
}

/** Reads all Markdown pages of the project. */
export async function readPages(): Promise<readonly Page[]> {
  const list = ['ls-files', '-co', '--exclude-standard', '--deduplicate', '*.md'];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root });
  const paths = stdout.trim().split('\n').toSorted();
  const pages = paths.map((path) =>
    readFile(join(root, path), 'utf8').then(
      (text) => ({ path, text }),
      // Skip deleted files, which Git lists until the deletion is committed.
      () => undefined,
    ),
  );
  return (await Promise.all(pages)).filter((page) => page !== undefined);
}

const fence =
  /^(?<before>(?:<!--(?:(?!-->).)*-->\n+)?)```(?<language>[^\n]*)\n(?<code>.*?)^```$/gms;

/** Returns the code blocks of a page, in order. */
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

/** Formats the location of a block for messages. */
export const placeOf = ({ path, line }: Pick<Fence, 'path' | 'line'>) => `${path}:${line}`;
