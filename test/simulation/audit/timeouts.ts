import type { RunLog } from '../log.ts';

/** Functions answer before their time runs out, whatever AWS does: only code that never returns stops them. */
export function* auditTimeouts({ timeouts }: RunLog): Generator<string> {
  for (const [name, times] of Map.groupBy(timeouts, (each) => each))
    yield `${name} ran out of time ${times.length} times`;
}
