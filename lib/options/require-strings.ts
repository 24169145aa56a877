import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';
import { requireObject } from './require-object.ts';
import { shown } from './shown.ts';

/**
 * Checks an object that maps names of the user's choice to strings. A string can be a token. An undefined value, such as
 * that of a missing environment variable, is rejected, because the CDK would omit the name.
 *
 * @param subject the subject of the error message, such as '`tags`'.
 * @param example an object for the error message, such as "{ team: 'delivery' }".
 * @throws MilepostError `bad-request` if the value is not an object, or contains a value that is not a string.
 */
export function requireStrings(subject: string, value: unknown, example: string): void {
  requireObject(subject, value, example);
  for (const [name, each] of Object.entries(value as object) as [string, unknown][]) {
    if (typeof each === 'string') continue;
    const got = Token.isUnresolved(each) ? 'a token of another type' : shown(each);
    const remedy = Token.isUnresolved(each) ? '; pass Token.asString(token)' : '';
    throw new MilepostError(
      'bad-request',
      `${subject} must have strings as values; got ${got} for "${name}"${remedy}`,
    );
  }
}
