import { Token } from 'aws-cdk-lib';
import type { ThrottleSettings } from 'aws-cdk-lib/aws-apigatewayv2';
import { MilepostError } from '../../src/core/errors.ts';
import { checkInteger } from './require-integer.ts';
import { requireObject } from './require-object.ts';
import { shown } from './shown.ts';

/**
 * Checks the limits of routes.
 *
 * @param subject the name of the option.
 * @throws MilepostError `bad-request` for a value that is not an object, a rate limit that is not greater than 0, or a
 *   burst limit that is not an integer of at least 1.
 */
export function checkThrottle(subject: string, throttle: ThrottleSettings | undefined): void {
  if (throttle === undefined) return;
  const names = ['rateLimit', 'burstLimit'];
  requireObject(`\`${subject}\``, throttle, '{ rateLimit: 500, burstLimit: 1000 }', names);
  const { rateLimit, burstLimit } = throttle;
  if (
    rateLimit !== undefined &&
    !Token.isUnresolved(rateLimit) &&
    !(Number.isFinite(rateLimit) && rateLimit > 0)
  )
    throw new MilepostError(
      'bad-request',
      `\`${subject}.rateLimit\` must be a number greater than 0; got ${shown(rateLimit)}`,
    );
  checkInteger(`\`${subject}.burstLimit\``, burstLimit, 1);
}
