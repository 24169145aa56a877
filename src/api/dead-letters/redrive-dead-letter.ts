import type { DeadLetter } from '../../core/event/dead-letter.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import { redriveRecord } from '../../stream/redrive-record.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { Problem } from '../http/problem.ts';

export type RedriveDependencies = Pick<
  ApiDependencies,
  'deadLetters' | 'stream' | 'ownStream' | 'notificationStream'
>;

/**
 * Redrives a dead letter: puts its record back on its stream and removes the dead letter. If the dead letter is a
 * parked event, requests a redrive of its instance instead.
 *
 * @returns false if another request is redriving the dead letter or has just done so.
 * @throws Problem 409 if the stream of the record no longer exists.
 */
export async function redriveDeadLetter(
  dependencies: RedriveDependencies,
  letter: DeadLetter,
): Promise<boolean> {
  const { deadLetters, ownStream } = dependencies;
  if (letter.parked) {
    await ownStream.put([redriveRecord(instanceOfLetter(letter))]);
    return true;
  }
  const home = homeOf(dependencies, letter);
  if (!home)
    throw new Problem(
      409,
      `dead letter ${letter.id} contains notifications, but this tracker publishes none; delete it`,
    );
  // Without a claim, two requests would put the record on the stream twice. If both copies are rejected again, two dead
  // letters would replace one.
  if (!(await deadLetters.claim(letter.id))) return false;
  try {
    // Put the record before removing the dead letter so that a failure between the two steps duplicates the record
    // instead of losing it.
    await home.put([{ partitionKey: letter.partitionKey, data: letter.raw }]);
  } catch (error) {
    await deadLetters.release(letter.id);
    throw error;
  }
  await deadLetters.remove(letter.id);
  return true;
}

/** Returns the stream that delivered the record of a dead letter, or undefined if the stream no longer exists. */
export function homeOf(
  { stream, notificationStream }: Pick<RedriveDependencies, 'stream' | 'notificationStream'>,
  { isNotification }: DeadLetter,
): RedriveDependencies['notificationStream'] {
  return isNotification ? notificationStream : stream;
}

/** Returns the instance of a parked event's dead letter. */
export function instanceOfLetter({ modelId, transactionId }: DeadLetter): InstanceKey {
  return { model: modelId!, transaction: transactionId! };
}
