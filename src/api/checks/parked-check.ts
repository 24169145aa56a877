import pMap from 'p-map';
import type { Clock } from '../../common/clock.ts';
import { commonReason } from '../../core/event/dead-letter-reason.ts';
import type { ParkingStore } from '../../parking/parking-store.ts';
import type { InstanceLists } from '../stores/instance-lists.ts';
import { type Check, ok, warning } from './check.ts';
import { countText, durationText, mostFrequent } from './phrases.ts';

/** The maximum number of instances whose oldest parked event a check reads. */
const maximumRead = 25;
const concurrency = 8;

/** The stores that `parkedCheck` reads, and the clock. */
export interface ParkedCheckDependencies {
  readonly lists: Pick<InstanceLists, 'countParked' | 'list'>;
  readonly parking: Pick<ParkingStore, 'oldest'>;
  readonly clock: Clock;
}

/**
 * Checks that no instance has parked events. Otherwise, the finding contains the number of instances, how long the
 * oldest event has waited, and the most frequent reason. Each instance contributes only the reason for its oldest
 * parked event because its other parked events only wait for the oldest event.
 */
export function parkedCheck({ lists, parking, clock }: ParkedCheckDependencies): Check {
  return {
    id: 'parked',
    async run() {
      const { count, more } = await lists.countParked();
      if (count === 0) return ok('no instance has parked events');
      const longest = { parked: true, order: 'oldest' } as const;
      const { items } = await lists.list(longest, { limit: maximumRead });
      const found = await pMap(items, (row) => parking.oldest(row, 1), { concurrency });
      // During a redrive, the oldest event may briefly have no fault because it has not been tried yet.
      const events = found.flat().filter(({ fault }) => fault);
      const [oldest] = events.map(({ at }) => at).toSorted();
      const because = oldest
        ? `; the oldest event has waited for ${durationText(clock.now() - Date.parse(oldest))}; most frequent reason: ${mostFrequent(events.map(({ reason, event }) => commonReason({ reason, eventId: event.id })))}`
        : '';
      const verb = count === 1 && !more ? 'has' : 'have';
      return warning(
        `${countText(count, 'instance', more)} ${verb} parked events${because}`,
        'milepost list --parked',
      );
    },
  };
}
