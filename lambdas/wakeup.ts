import type { Context, SQSEvent } from 'aws-lambda';
import { fireAt } from '../src/clock/fire-at.ts';
import { systemClock } from '../src/common/clock.ts';
import { dueTimers, timeToEnd } from './support/due-timers.ts';

const dependencies = dueTimers();

/**
 * Fires the timers that are due at the times in the queue's messages.
 *
 * @throws Error if a timer cannot be fired. The invocation then fails, and the clock's next run, within a minute, tries
 *   again.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<void> {
  const deadline = systemClock.now() + context.getRemainingTimeInMillis() - timeToEnd;
  const times = Records.map(({ body }) => (JSON.parse(body) as { at: number }).at);
  const { failures } = await fireAt(dependencies, times, deadline);
  if (failures.length > 0) throw new Error(`failed to fire timers: ${failures.join('; ')}`);
}
