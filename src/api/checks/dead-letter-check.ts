import type { Clock } from '../../common/clock.ts';
import type { DeadLetter } from '../../core/event/dead-letter.ts';
import { commonReason } from '../../core/event/dead-letter-reason.ts';
import type { DeadLetterStore } from '../../stores/dead-letter-store.ts';
import { type Check, ok, warning } from './check.ts';
import { countText, durationText, mostFrequent } from './phrases.ts';

const pageSize = 100;
/** The number of rejected records after which the check stops reading. */
const maximumRejected = 100;
/** The number of dead letters, including parked events, after which the check stops reading. */
const maximumRead = 1000;

/** Checks that no record was rejected. Skips the dead letters of parked events, which `parkedCheck` reports. */
export function deadLetterCheck(deadLetters: Pick<DeadLetterStore, 'list'>, clock: Clock): Check {
  return {
    id: 'dead-letters',
    async run() {
      const { rejected, read, more } = await newestRejected(deadLetters);
      const [newest] = rejected;
      if (!newest)
        return ok(
          more
            ? `the newest ${read} dead letters are parked events; older ones were not checked`
            : 'there are no rejected records',
        );
      const age = durationText(clock.now() - Date.parse(newest.at));
      const reasons = mostFrequent(rejected.map(commonReason));
      return warning(
        `${countText(rejected.length, 'dead letter', more)}; the newest arrived ${age} ago; most frequent reason: ${reasons}`,
        'milepost dead-letters',
      );
    },
  };
}

/** Reads the newest dead letters until it has found enough rejected records or has read enough dead letters. */
async function newestRejected(deadLetters: Pick<DeadLetterStore, 'list'>) {
  const rejected: DeadLetter[] = [];
  let read = 0;
  let cursor: string | undefined;
  do {
    const page = await deadLetters.list({ limit: pageSize, ...(cursor && { cursor }) });
    rejected.push(...page.items.filter(({ parked }) => parked === null));
    read += page.items.length;
    ({ cursor } = page);
  } while (cursor !== undefined && rejected.length < maximumRejected && read < maximumRead);
  return { rejected, read, more: cursor !== undefined };
}
