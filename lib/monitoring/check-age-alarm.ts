import type { Duration } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';

/**
 * Rejects a limit that the records of a function never exceed, because Lambda discards older records.
 *
 * @param recordAge the age from which Lambda discards the records of the stream.
 * @param retention the option that determines this age.
 * @throws MilepostError `bad-request` if the limit is too high.
 */
export function checkAgeAlarm(limit: Duration, recordAge: Duration, retention: string): void {
  if (limit.toMilliseconds() < recordAge.toMilliseconds()) return;
  throw new MilepostError(
    'bad-request',
    `\`iteratorAgeAlarm\` must be less than ${recordAge.toSeconds()} seconds, because with this ${retention}, ` +
      `records of that age are moved to the failure bucket; got ${limit.toSeconds()} seconds`,
  );
}
