import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { python, pythonPrograms } from './python-programs.ts';
import { findToolchain, type Toolchain } from './toolchain.ts';

/** A version of the AWS CLI. */
export interface CommandLine extends Toolchain {
  readonly version: 1 | 2;
  /** The path of the executable. */
  readonly aws: string;
}

/** Searches the whole PATH for version 2, because version 1 can precede it. */
const second = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'aws'))
  .find((path) => {
    try {
      return String(execFileSync(path, ['--version'], { stdio: 'pipe' })).startsWith('aws-cli/2');
    } catch {
      return false;
    }
  });
const aws = second ?? 'aws';
const needs = 'version 2 of the AWS CLI';

/**
 * The versions of the AWS CLI. Version 1 is installed from PyPI. Version 2 must be installed on the machine.
 */
export const commandLines: readonly CommandLine[] = [
  { version: 1, ...python, aws: join(pythonPrograms, 'aws') },
  {
    version: 2,
    ...(await findToolchain(needs, [aws, '--version'], (said) => said.startsWith('aws-cli/2'))),
    aws,
  },
];
