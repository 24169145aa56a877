import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';
import { shown } from './shown.ts';

/**
 * Checks a number that must be known during synthesis.
 *
 * @param subject the subject of the error message, such as '`shards`'.
 * @throws MilepostError `bad-request` if the value is not an integer in the range, or is a token.
 */
export function requireInteger(
  subject: string,
  value: number,
  least: number,
  most = Infinity,
): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new MilepostError(
    'bad-request',
    `${subject} must be an integer ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}; got ${shown(value)}`,
  );
}

/**
 * Checks a number that can be unset, or unknown until the deployment, such as the value of an SSM parameter.
 *
 * @throws MilepostError `bad-request` if the value is known and is not an integer in the range.
 */
export function checkInteger(
  subject: string,
  value: number | undefined,
  least: number,
  most = Infinity,
): void {
  if (value !== undefined && !Token.isUnresolved(value))
    requireInteger(subject, value, least, most);
}
