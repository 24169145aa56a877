import { MilepostError } from '../../src/core/errors.ts';
import { shown } from './shown.ts';

/**
 * Checks that a value is an object of the CDK or of Milepost, because a JavaScript program can pass an ARN or a name
 * instead.
 *
 * @param subject the subject of the error message, such as '`notifications`'.
 * @param kind the expected kind of value, such as 'a value of Notifications'.
 * @param method a method that all values of this kind have.
 * @throws MilepostError `bad-request` if the value has no such method.
 */
export function requireMethod(subject: string, value: unknown, kind: string, method: string): void {
  const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[method];
  // A function itself has the method `bind`, for example `Notifications.none` without parentheses.
  if (typeof found === 'function' && typeof value !== 'function') return;
  throw new MilepostError('bad-request', `${subject} must be ${kind}; got ${shown(value)}`);
}
