import { MilepostError } from '../../src/core/errors.ts';
import { shown } from './shown.ts';

/**
 * Checks a setting that is on or off, because a JavaScript program can pass text: `'false'`, the value of an environment
 * variable, would turn the setting on.
 *
 * @param subject the subject of the error message, such as '`lowLatency`'.
 * @throws MilepostError `bad-request` if the value is set and is not a boolean.
 */
export function checkBoolean(subject: string, value: boolean | undefined): void {
  if (value === undefined || typeof value === 'boolean') return;
  throw new MilepostError(
    'bad-request',
    `${subject} must be true or false, or omitted; got ${shown(value)}`,
  );
}
