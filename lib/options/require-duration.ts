import type { Duration } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';

const units = { milliseconds: 1, seconds: 1_000, hours: 3_600_000, days: 86_400_000 } as const;

/**
 * Checks a duration.
 *
 * @param subject the subject of the error message, such as '`streamRetention`'.
 * @throws MilepostError `bad-request` if the value is not a `Duration`, is a token, or is not a whole number of the
 * unit in the range.
 */
export function requireDuration(
  subject: string,
  value: Duration,
  unit: keyof typeof units,
  least: number,
  most = Infinity,
): void {
  const reject = (rule: string, shown: unknown) => {
    throw new MilepostError('bad-request', `${subject} must be ${rule}; got ${String(shown)}`);
  };
  if (typeof (value as Partial<Duration> | null)?.toMilliseconds !== 'function')
    reject(`a Duration, such as Duration.${unit === 'milliseconds' ? 'millis' : unit}(2)`, value);
  if (value.isUnresolved()) reject('known during synthesis', 'a token');
  const amount = value.toMilliseconds() / units[unit];
  if (!Number.isInteger(amount) || amount < least || amount > most)
    reject(
      `a whole number of ${unit}, ${most === Infinity ? `at least ${least}` : `from ${least} to ${most}`}`,
      amount,
    );
}
