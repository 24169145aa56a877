import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The availability of a client. */
export interface Toolchain {
  readonly isThere: boolean;
  /** For the title of the tests: why they are skipped; empty if they run. */
  readonly ifNot: string;
}

/**
 * Checks for a toolchain. Without it, the tests are skipped, except in CI, where they fail.
 *
 * @param needs the requirement, such as `Go 1.24 or later`.
 * @param isPresent receives the output of the command.
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

/** True if the first version in a text is at least this one, such as 1.24. */
export function isAtLeast(text: string, major: number, minor = 0): boolean {
  const [, first = '0', second = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(first) > major || (Number(first) === major && Number(second) >= minor);
}
