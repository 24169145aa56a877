import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fencesOf, type Page, root } from './markdown.ts';

/**
 * A section of a page for operators. Its first part contains commands that show the fault, and its second part contains
 * commands that repair it.
 */
export interface Runbook {
  readonly name: string;
  /** The shell blocks of each part, in order. */
  readonly look: readonly string[];
  readonly do: readonly string[];
}

export interface RunbookPage {
  /** The definitions that all commands of the page use. */
  readonly setup: string;
  readonly runbooks: readonly Runbook[];
}

/** Reads the runbooks of a page: its sections with the parts **Look.** and **Do.** */
export async function readRunbooks(path: string): Promise<RunbookPage> {
  const text = await readFile(join(root, path), 'utf8');
  const sections = text.split(/^(?=##+ )/m);
  const shellBlocks = (part = '') => shellBlocksOf({ path, text: part });
  const runbooks = sections.flatMap((section): Runbook[] => {
    const [, name, look, todo] =
      /^### (.+?)\n.*?^(\*\*Look\.\*\*.*?)^(\*\*Do\.\*\*.*)/ms.exec(section) ?? [];
    return name ? [{ name, look: shellBlocks(look), do: shellBlocks(todo) }] : [];
  });
  const before = sections.find((section) => section.startsWith('## Before you start'));
  return { setup: shellBlocks(before).join('\n'), runbooks };
}

/** Reads the shell blocks of a page, in order. */
export const readShellBlocks = async (path: string): Promise<readonly string[]> =>
  shellBlocksOf({ path, text: await readFile(join(root, path), 'utf8') });

const shellBlocksOf = (page: Page) =>
  fencesOf(page)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code);
