import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether a toolchain is available. */
export interface Toolchain {
  readonly isThere: boolean;
  /** The reason why the tests are skipped, which their titles contain; empty if the tests run. */
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

/** True if the first version number in a string is at least `major.minor`, such as 1.24. */
export function isAtLeast(text: string, major: number, minor = 0): boolean {
  const [, first = '0', second = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return Number(first) > major || (Number(first) === major && Number(second) >= minor);
}
