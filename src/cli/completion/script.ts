import { readFile } from 'node:fs/promises';

/** The shells that a completion can be had for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/**
 * The script that makes a shell complete `milepost`. It gives `milepost complete` the words up to the
 * cursor, and is answered lines of a word, a tab and what the word is; or one line of a tab and
 * `files` or `folders`, which the shell knows best.
 */
export function completionScript(shell: Shell): Promise<string> {
  return readFile(new URL(`milepost.${shell}`, import.meta.url), 'utf8');
}
