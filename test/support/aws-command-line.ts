import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The version text of this machine's AWS CLI, or undefined if it is not installed. */
export const awsVersion = await promisify(execFile)('aws', ['--version']).then(
  ({ stdout }) => stdout,
  () => undefined,
);

/** The option that declares `--data` as text. Version 1 expects text by default and does not support the option. */
export const dataIsText = awsVersion?.startsWith('aws-cli/1')
  ? []
  : ['--cli-binary-format', 'raw-in-base64-out'];
