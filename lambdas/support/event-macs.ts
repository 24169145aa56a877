import { systemClock } from '../../src/common/clock.ts';
import { EventMacs } from '../../src/stream/signing/event-macs.ts';
import { KeyRingCache } from '../../src/stream/signing/key-ring-cache.ts';
import { clients } from './clients.ts';
import { loggedError } from './monitoring/error-log.ts';
import { setting } from './settings.ts';

/**
 * Creates the `EventMacs` with the keys in the secret that `MILEPOST_SIGNING_KEYS` names. The secret is read when the
 * first event is signed or verified.
 */
export function eventMacs(): EventMacs {
  const secret = setting('MILEPOST_SIGNING_KEYS');
  const secrets = clients.secretsManager();
  return new EventMacs(
    new KeyRingCache({
      read: async () => (await secrets.current(secret)).value,
      clock: systemClock,
      onStale: (error) =>
        console.warn({
          message: 'failed to refresh the signing keys',
          error: loggedError(error),
        }),
    }),
  );
}
