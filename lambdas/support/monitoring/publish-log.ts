import type { PublishLog } from '../../../src/publisher/publish-notifications.ts';

/**
 * The maximum number of lines per batch. The limit keeps the log small if a producer puts thousands of invalid records.
 */
const maximumLines = 20;

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
      for (const { id, modelId, transactionId } of letters.slice(0, maximumLines))
        console.warn({
          message: 'notifications rejected',
          letter: id,
          model: modelId,
          transaction: transactionId,
        });
      if (letters.length > maximumLines)
        console.warn({
          message: 'notifications rejected: more',
          count: letters.length - maximumLines,
        });
    },
    failures(failed, reason) {
      console.error({ message: 'notifications to retry', count: failed, reason });
    },
  };
}
