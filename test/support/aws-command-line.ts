import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What the AWS command line of this machine says of itself; undefined: there is none. */
export const awsVersion = await promisify(execFile)('aws', ['--version']).then(
  ({ stdout }) => stdout,
  () => undefined,
);

/** Says that `--data` is text. Version 1 takes it so anyway, and does not know the option. */
export const dataIsText = awsVersion?.startsWith('aws-cli/1')
  ? []
  : ['--cli-binary-format', 'raw-in-base64-out'];
