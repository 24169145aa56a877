import { SqsWakeups } from '../../src/aws/timers/sqs-wakeups.ts';
import { systemClock } from '../../src/common/clock.ts';
import type { Wakeups } from '../../src/stores/wakeups.ts';
import { clients } from './clients.ts';
import { optionalSetting } from './settings.ts';

/**
 * Creates the scheduler of the clock's runs; undefined in the local service, where the clock runs every second.
 *
 * @param within how far ahead runs are scheduled, in milliseconds. Later runs are ignored.
 */
export function wakeups(within: number): Wakeups | undefined {
  const queueUrl = optionalSetting('MILEPOST_WAKEUPS');
  if (queueUrl === undefined) return undefined;
  return new SqsWakeups({
    client: clients.sqs(),
    queueUrl,
    clock: systemClock,
    within,
    logFailure: (reason) =>
      console.warn({ message: 'failed to schedule a run of the clock', reason }),
  });
}
