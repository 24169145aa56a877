import type { Clock } from '../../common/clock.ts';
import type { DeadLetterStore } from '../../stores/dead-letter-store.ts';
import { type Check, ok, warning } from './check.ts';
import { countText, durationText, mostFrequent } from './phrases.ts';

/** The maximum number of dead letters that a check reads, newest first. */
export const maximumRead = 100;

/** Checks that no record was rejected. `parkedCheck` handles the dead letters of parked events. */
export function deadLetterCheck(deadLetters: Pick<DeadLetterStore, 'list'>, clock: Clock): Check {
  return {
    id: 'dead-letters',
    async run() {
      const { items, cursor } = await deadLetters.list({ limit: maximumRead });
      const letters = items.filter(({ parked }) => parked === null);
      const [newest] = letters;
      if (!newest) return ok('there are no dead letters');
      const age = durationText(clock.now() - Date.parse(newest.at));
      const reasons = mostFrequent(letters.map(({ reason }) => reason));
      return warning(
        `${countText(letters.length, 'dead letter', cursor !== undefined)}; the newest arrived ${age} ago; most frequent reason: ${reasons}`,
        'milepost dead-letters',
      );
    },
  };
}
