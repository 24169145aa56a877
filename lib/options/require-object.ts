import { Token } from 'aws-cdk-lib';
import { didYouMean } from '../../src/common/closest-word.ts';
import { MilepostError } from '../../src/core/errors.ts';
import { shown } from './shown.ts';

/**
 * Checks that a group of settings is an object, because a JavaScript program can pass any value, which would then have
 * none of the settings.
 *
 * @param subject the subject of the error message, such as '`apiThrottle`'.
 * @param example an object for the error message, such as '{ rateLimit: 500 }'.
 * @param names the names of all settings. Default: any names.
 * @throws MilepostError `bad-request` if the value is not an object, or has a setting that does not exist.
 */
export function requireObject(
  subject: string,
  value: unknown,
  example: string,
  names?: readonly string[],
): void {
  const reject = (reason: string) => {
    throw new MilepostError('bad-request', `${subject} must ${reason}`);
  };
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    Token.isUnresolved(value)
  )
    return reject(`be an object, such as ${example}; got ${shown(value)}`);
  if (!names) return;
  const unknown = Object.entries(value).find(
    ([name, setting]) => setting !== undefined && !names.includes(name),
  )?.[0];
  if (unknown !== undefined)
    reject(`contain only ${names.join(', ')}; got ${unknown}${didYouMean(unknown, names)}`);
}
