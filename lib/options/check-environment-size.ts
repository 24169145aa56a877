import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';

/**
 * The maximum size of all environment variables of a function, in bytes. AWS does not document how it measures the
 * size, but its error message quotes a JSON object, in which each quotation mark of a value takes two bytes.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 * @see https://github.com/github-aws-runners/terraform-aws-github-runner/issues/3594
 */
const maximumBytes = 4 * 1024;

/**
 * Checks the size of environment variables during synthesis, because Lambda would reject the function only during the
 * deployment. Values that are unknown until the deployment are not counted.
 *
 * @param subject the subject of the error message, such as '`environment`'.
 * @throws MilepostError `bad-request` if the variables are too large as a JSON object.
 */
export function checkEnvironmentSize(
  subject: string,
  environment: Readonly<Record<string, string>>,
): void {
  const known = Object.entries(environment).filter(([, value]) => !Token.isUnresolved(value));
  const total = jsonBytes(known);
  if (total < maximumBytes) return;
  const sizes = known.map((variable) => ({ name: variable[0], bytes: jsonBytes([variable]) }));
  const { name, bytes } = sizes.reduce((most, each) => (each.bytes > most.bytes ? each : most));
  throw new MilepostError(
    'bad-request',
    `${subject} must take less than ${maximumBytes} bytes as JSON, because Lambda's limit includes Milepost's own variables; got ${total} bytes, of which ${name} takes ${bytes}`,
  );
}

const jsonBytes = (variables: readonly (readonly [string, string])[]): number =>
  Buffer.byteLength(JSON.stringify(Object.fromEntries(variables)));
