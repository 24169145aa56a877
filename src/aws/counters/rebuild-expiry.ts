import type { Clock } from '../../common/clock.ts';
import { maximumRebuildDuration } from '../../counter/generations.ts';

/**
 * How long a rebuild's markers and pages are kept, in milliseconds. This lifetime exceeds the maximum duration of a
 * rebuild by more than a day because the change stream can deliver a change up to a day after it happened.
 */
const lifetime = 2 * maximumRebuildDuration;

/** Returns the value of the `expiresAt` attribute for an item that a rebuild writes now. */
export const rebuildExpiry = (clock: Pick<Clock, 'now'>) => ({
  N: String(Math.floor((clock.now() + lifetime) / 1_000)),
});
