import type { PublishLog } from '../../../src/publisher/publish-notifications.ts';

/** The most lines for one batch: somebody may put thousands of records that hold no notifications. */
const maximumLines = 20;

/**
 * Tells the log, and the metrics, of what an operator may want to look at. What notifications hold is not
 * in it: the dead letters have it.
 *
 * @param console where to: Lambda makes JSON of it, with level, time and request.
 * @param count counts dead letters.
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
          message: 'notifications refused',
          letter: id,
          model: modelId,
          transaction: transactionId,
        });
      if (letters.length > maximumLines)
        console.warn({
          message: 'notifications refused: more',
          count: letters.length - maximumLines,
        });
    },
    failures(failed, reason) {
      console.error({ message: 'notifications to deliver again', count: failed, reason });
    },
  };
}
