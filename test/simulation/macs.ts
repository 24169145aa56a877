import { EventMacs } from '../../src/stream/signing/event-macs.ts';
import { KeyRingCache } from '../../src/stream/signing/key-ring-cache.ts';
import type { Environment } from './environment.ts';
import type { Account } from './lambdas.ts';

/** Returns the key ring of a run. Its newest key becomes valid during the run. */
export const ringAround = (start: number): string =>
  JSON.stringify({ 0: 'a'.repeat(32), [start / 1000 + 5]: 'b'.repeat(32) });

/** Creates the MACs of a process, which reads the keys from Secrets Manager. */
export function macsIn(
  { forgeries, keyRing, timed }: Account,
  environment: Environment,
): EventMacs {
  const read = () => Promise.resolve(keyRing);
  return new EventMacs(
    new KeyRingCache({
      // Let reads fail only in some runs so that the seeds that reveal deliberate faults stay the same.
      read:
        forgeries || timed
          ? () => environment.call(() => 'GetSecretValue', { service: 'secrets', effect: read })
          : read,
      clock: environment.clock,
    }),
  );
}
