import type { Clock } from '../common/clock.ts';
import type { Deadline } from '../common/deadline.ts';
import { messageOf } from '../common/message-of.ts';
import { partitionKeyOf } from '../core/event/event.ts';
import { toIso } from '../core/time/timestamp.ts';
import type { ConsistentRead, InstanceStore } from '../stores/instance-store.ts';
import type { EventStream } from '../stream/event-stream.ts';
import { type CanaryState, canaryModel } from './canary-model.ts';

export interface CanaryDependencies {
  readonly stream: EventStream;
  readonly instances: Pick<InstanceStore, 'readConsistent'>;
  readonly clock: Clock;
}

/**
 * The first and the maximum delay between two reads, in milliseconds. Each delay is twice as long as the previous
 * delay, up to the maximum.
 */
const [firstWait, maximumWait] = [50, 1_000];

/**
 * Puts an event on the stream as a producer would, and waits until a strongly consistent read, like the API's reads,
 * shows that the event is applied.
 *
 * @returns the time from the put until this read, in milliseconds.
 * @throws Error with the reason if the event is not applied by the deadline.
 */
export async function checkPipeline(
  { stream, instances, clock }: CanaryDependencies,
  deadline: Deadline,
): Promise<number> {
  const start = clock.now();
  const id = toIso(start);
  const instance = { model: canaryModel.id, transaction: id.slice(0, 'YYYY-MM-DD'.length) };
  const event = {
    specversion: '1.0',
    id,
    source: 'canary',
    type: 'canary.checked',
    modelid: instance.model,
    transactionid: instance.transaction,
    time: id,
  };
  const record = {
    partitionKey: partitionKeyOf(instance),
    data: Buffer.from(JSON.stringify(event)),
  };
  if ((await deadline.race(stream.put([record]))) === 'late')
    throw new Error('the stream did not accept the event in time');

  // The reason describes the latest complete read because the deadline can interrupt the last read.
  let reason = 'the instance could not be read in time';
  for (let wait = firstWait; !deadline.hasPassed; wait = Math.min(2 * wait, maximumWait)) {
    await clock.sleep(Math.min(wait, deadline.remaining));
    const answers = await deadline.race(instances.readConsistent([instance]));
    if (answers === 'late') break;
    const [answer] = answers;
    if ('error' in answer!) reason = `the instance could not be read: ${messageOf(answer.error)}`;
    else if (isApplied(id, answer!.value, clock)) return clock.now() - start;
    else reason = 'the event was not applied in time';
  }
  throw new Error(reason);
}

/**
 * Returns true if the instance's latest event is the given event or a later event. Ids are timestamps; an id in the
 * future is ignored.
 */
function isApplied(id: string, { commit }: ConsistentRead, clock: Clock): boolean {
  if (!commit) return false;
  const { last } = JSON.parse(commit.state) as CanaryState;
  return last >= id && last <= toIso(clock.now());
}
