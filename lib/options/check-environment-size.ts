import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';

/**
 * The maximum size of all environment variables of a function, in bytes.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maximumBytes = 4 * 1024;

/**
 * Checks the size of environment variables during synthesis, because Lambda would reject the function during the
 * deployment. Values that are known only then are not counted.
 *
 * @param subject the subject of the error message, such as '`environment`'.
 * @throws MilepostError `bad-request` if the names and values are too large.
 */
export function checkEnvironmentSize(
  subject: string,
  environment: Readonly<Record<string, string>>,
): void {
  const sizes = Object.entries(environment)
    .filter(([, value]) => !Token.isUnresolved(value))
    .map(([name, value]) => ({ name, bytes: Buffer.byteLength(name + value) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total < maximumBytes) return;
  const { name, bytes } = sizes.reduce((most, each) => (each.bytes > most.bytes ? each : most));
  throw new MilepostError(
    'bad-request',
    `${subject} must take less than ${maximumBytes} bytes, because Lambda's limit includes Milepost's own variables; got ${total} bytes, of which ${name} takes ${bytes}`,
  );
}
