import type { PublishLog } from '../../../src/publisher/publish-notifications.ts';
import { warnOfEach } from './warn-of-each.ts';

/**
 * Creates the publisher's log of rejected notifications and failures. The log also counts the rejected notifications.
 * The content of the notifications is only in the dead letters, not in the log.
 *
 * @param console the log, whose lines Lambda formats as JSON with level, time, and request id.
 * @param count called with the number of dead letters to count.
 */
export function publishLog(
  console: Pick<Console, 'warn' | 'error'>,
  count: (letters: number) => void,
): PublishLog {
  return {
    refused(letters) {
      count(letters.length);
      const lines = letters.map(({ id, modelId, transactionId }) => ({
        letter: id,
        model: modelId,
        transaction: transactionId,
      }));
      warnOfEach(console, 'notifications rejected', lines);
    },
    failures(failed, reason) {
      console.error({ message: 'notifications to retry', count: failed, reason });
    },
  };
}
