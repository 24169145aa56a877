import type { Clock } from '../../common/clock.ts';
import type { DeadLetterStore } from '../../stores/dead-letter-store.ts';
import type { InstanceLists } from '../stores/instance-lists.ts';
import { type Check, ok, warning } from './check.ts';
import { maximumRead } from './dead-letter-check.ts';
import { countText, durationText, mostFrequent } from './phrases.ts';

/** The stores that `parkedCheck` reads, and the clock. */
export interface ParkedCheckDependencies {
  readonly lists: Pick<InstanceLists, 'countParked'>;
  readonly deadLetters: Pick<DeadLetterStore, 'list'>;
  readonly clock: Clock;
}

/**
 * Checks that no instance has parked events. Otherwise, the finding contains the number of instances, how long the
 * oldest event has waited, and the most frequent reason.
 */
export function parkedCheck({ lists, deadLetters, clock }: ParkedCheckDependencies): Check {
  return {
    id: 'parked',
    async run() {
      const { instances: count, more } = await lists.countParked();
      if (count === 0) return ok('no instance has parked events');
      const page = await deadLetters.list({ limit: maximumRead });
      const letters = page.items.filter(({ parked }) => parked !== null);
      const oldest = letters.at(-1);
      const because = oldest
        ? `; the oldest has waited for ${page.cursor ? 'at least ' : ''}${durationText(clock.now() - Date.parse(oldest.at))}; most frequent reason: ${mostFrequent(letters.map(({ reason }) => reason))}`
        : '';
      const verb = count === 1 && !more ? 'has' : 'have';
      return warning(
        `${countText(count, 'instance', more)} ${verb} parked events${because}`,
        'milepost list --parked',
      );
    },
  };
}
