import type { RunLog } from '../log.ts';

/**
 * Checks that functions respond before they time out, even if AWS is slow. Only code that never returns is an
 * exception.
 */
export function* auditTimeouts({ timeouts }: RunLog): Generator<string> {
  for (const [name, times] of Map.groupBy(timeouts, (each) => each))
    yield `${name} ran out of time ${times.length} times`;
}
