import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether a client can be run here. */
export interface Toolchain {
  readonly isThere: boolean;
  /** For the title of its tests: why they are left out; empty where they are run. */
  readonly ifNot: string;
}

/**
 * Looks for a toolchain. Without it, its tests are left out, but in CI they fail.
 *
 * @param needs says what is needed, e.g. `Go 1.24 or later`.
 * @param isPresent is given what the command prints.
 */
export async function findToolchain(
  needs: string,
  [program, ...words]: readonly [string, ...string[]],
  isPresent: (output: string) => boolean,
): Promise<Toolchain> {
  const found = await promisify(execFile)(program, words).then(
    ({ stdout, stderr }) => isPresent(stdout + stderr),
    () => false,
  );
  const isCi = (process.env.CI ?? '') !== '';
  return { isThere: found || isCi, ifNot: found ? '' : ` (needs ${needs})` };
}

/** Whether the first version in a text is at least this one, e.g. 1.24. */
export function isAtLeast(text: string, major: number, minor = 0): boolean {
  const [, first = '0', second = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(first) > major || (Number(first) === major && Number(second) >= minor);
}
