import { MilepostError } from '../../src/core/errors.ts';

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
  if (typeof found === 'function') return;
  throw new MilepostError('bad-request', `${subject} must be ${kind}; got ${shown(value)}`);
}

const shown = (value: unknown) => (typeof value === 'string' ? `"${value}"` : String(value));
