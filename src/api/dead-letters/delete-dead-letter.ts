import type { DeadLetter } from '../../core/event/dead-letter.ts';
import { skipParkedEvent } from '../../parking/unpark.ts';
import { redriveRecord } from '../../stream/redrive-record.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { instanceOfLetter, type RedriveDependencies } from './redrive-dead-letter.ts';

/** Deletes a dead letter. If the dead letter is a parked event, its instance skips the event and continues. */
export async function deleteDeadLetter(
  {
    parking,
    deadLetters,
    ownStream,
  }: Pick<RedriveDependencies & ApiDependencies, 'parking' | 'deadLetters' | 'ownStream'>,
  letter: DeadLetter,
): Promise<void> {
  const { id, parked } = letter;
  if (!parked) return deadLetters.remove(id);
  const instance = instanceOfLetter(letter);
  await skipParkedEvent({ parking, deadLetters }, instance, parked);
  // The model may now be able to apply the events that were queued after the deleted event.
  await ownStream.put([redriveRecord(instance)]);
  // Remove the dead letter last, because a failed deletion can be retried only while the dead letter exists.
  await deadLetters.remove(id);
  // A dispatcher that read the record again may have parked the event again before its dead letter was removed. If that
  // dispatcher crashes, another one may park the event again during this loop. An event must not remain parked without
  // a dead letter.
  while ((await parking.find(instance, [parked])).length > 0) {
    await skipParkedEvent({ parking, deadLetters }, instance, parked);
    await deadLetters.remove(id);
  }
}
