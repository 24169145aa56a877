import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The version output of this machine's AWS command line; undefined if there is none. */
export const awsVersion = await promisify(execFile)('aws', ['--version']).then(
  ({ stdout }) => stdout,
  () => undefined,
);

/** Marks `--data` as text. Version 1 treats it as text anyway, and does not support the option. */
export const dataIsText = awsVersion?.startsWith('aws-cli/1')
  ? []
  : ['--cli-binary-format', 'raw-in-base64-out'];
