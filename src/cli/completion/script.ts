import { readFile } from 'node:fs/promises';

/** The shells with a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/**
 * Reads the completion script for a shell. The script passes the words up to the cursor to `milepost complete`. For
 * each completion, that command prints a line with a word, a tab, and a description. If the shell completes file or
 * folder names itself, the command prints only a tab and `files` or `folders`.
 */
export function completionScript(shell: Shell): Promise<string> {
  return readFile(new URL(`milepost.${shell}`, import.meta.url), 'utf8');
}
