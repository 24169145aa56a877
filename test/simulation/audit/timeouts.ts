import type { RunLog } from '../log.ts';

/**
 * Checks that functions respond before they time out, even if AWS is slow. Functions that run code that never returns
 * are excluded.
 */
export function* auditTimeouts({ timeouts }: RunLog): Generator<string> {
  for (const [name, times] of Map.groupBy(timeouts, (each) => each))
    yield `${name} ran out of time ${times.length} times`;
}
