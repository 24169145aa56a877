import type { Clock } from '../../common/clock.ts';
import { maximumRebuildDuration } from '../../counter/generations.ts';

/**
 * The lifetime in milliseconds of the markers and pages of a rebuild. Changes are delivered for at least one day after
 * they happen, so these items outlive the rebuild by several days. A rebuild that takes longer cannot be continued.
 */
const lifetime = 2 * maximumRebuildDuration;

/** Returns the value of the `expiresAt` attribute of an item that a rebuild writes now. */
export const rebuildExpiry = (clock: Pick<Clock, 'now'>) => ({
  N: String(Math.floor((clock.now() + lifetime) / 1_000)),
});
