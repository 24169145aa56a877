import { beforeEach, expect, it } from 'vitest';
import { parkedKey } from '../../src/aws/instances/instance-keys.ts';
import { Deadline } from '../../src/common/deadline.ts';
import { deadLetterId } from '../../src/core/event/dead-letter.ts';
import type { TrackedEvent } from '../../src/core/event/event.ts';
import { applyEvents } from '../../src/dispatcher/apply-events.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { BatchRecorder } from '../../src/dispatcher/monitoring/batch-recorder.ts';
import { redriveQueue } from '../../src/dispatcher/redrive-queue.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import { park } from '../../src/parking/park.ts';
import type { DeadLetterStore } from '../../src/stores/dead-letter-store.ts';
import type { ReceivedEvent } from '../../src/stream/received-event.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { failing, InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { allDeadLetters, deadLettersInMemory } from '../support/aws-in-memory/stores-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { counter } from '../support/models/counter-model.ts';
import { ModelLambdas } from '../support/models/model-lambdas.ts';
import { registryEntry } from '../support/models/registry-entry.ts';
import { skipSleep } from '../support/skip-sleep.ts';

const entry = registryEntry('counter');
const instance = { model: 'counter', transaction: 'T1' };
const clock = { now: () => Date.UTC(2026, 0, 1), sleep: skipSleep };
let instances: InstancesInMemory;
let lettersDatabase: MemoryDynamoDb;
let deadLetters: DeadLetterStore;
let models: ModelLambdas;

beforeEach(() => {
  instances = new InstancesInMemory(clock);
  lettersDatabase = new MemoryDynamoDb({ letters: {} });
  deadLetters = deadLettersInMemory(clock, lettersDatabase);
  models = new ModelLambdas(counter, instances, clock);
});

function received(place: number, type = 'added', more: Partial<TrackedEvent> = {}): ReceivedEvent {
  const { event, position } = placed(place, { id: `e${place}`, type, ...more });
  const eventId = `${position.shard}:${position.sequence}`;
  const record: StreamRecord = {
    recordId: eventId,
    position,
    partitionKey: 'T1',
    arrivedAt: 0,
    data: Buffer.from('{}'),
  };
  return { record, event };
}

const environment = () => ({
  models,
  stream: models.stream,
  parking: instances.parking,
  deadLetters,
  retry: { attempts: 1, backoff: 0 },
  registry: new RegistryCache(new ModelRegistryInMemory(entry), clock),
  failureTracker: new FailureTracker(),
  clock,
  recorder: new BatchRecorder(clock),
  invokeBy: Deadline.none(clock),
});
const apply = (...events: ReceivedEvent[]) => applyEvents(environment(), entry, events);
const blocked = (each: ReceivedEvent, fault: boolean) => ({
  received: each,
  reason: 'broken',
  fault,
});
const parked = async () =>
  (await instances.parking.oldest(instance, 9)).map(({ event }) => event.id);
const letterIds = async () => (await allDeadLetters(deadLetters)).map(({ id }) => id);
const letterOf = ({ record }: ReceivedEvent) => deadLetterId(record);

it('an event whose dead letter cannot be stored is parked and returned to the stream', async () => {
  const event = received(1);
  lettersDatabase.interfere = () => {
    throw new Error('throttled');
  };
  expect(await park(environment(), instance, [blocked(event, true)])).toHaveLength(1);
  lettersDatabase.interfere = () => {};
  expect([await parked(), await letterIds()]).toEqual([['e1'], []]);
});

it('all events are returned to the stream if one event cannot be parked', async () => {
  const [poison, second, third] = [received(1, 'failed'), received(2), received(3)];
  const all = [blocked(poison, true), blocked(second, false), blocked(third, false)];
  instances.interfere = failing(({ sk }) => sk === parkedKey(second.record.position));
  expect(await park(environment(), instance, all)).toMatchObject(
    all.map(({ received: { record } }) => ({ record })),
  );
  instances.interfere = () => {};
  expect(await park(environment(), instance, all)).toEqual([]);
  expect(await parked()).toEqual(['e1', 'e2', 'e3']);
});

it('an applied event that a crash left in the queue is removed when it is redelivered', async () => {
  const [first, poison, second] = [received(1), received(2, 'failed'), received(3)];
  await apply(first);
  await park(environment(), instance, [blocked(poison, true), blocked(first, false)]);
  await park(environment(), instance, [blocked(second, false)]);
  await apply(first);
  expect(await parked()).toEqual(['e2', 'e3']);
  expect(await letterIds()).toEqual([poison, second].map(letterOf).toSorted());
  expect(instances.rowOf(instance)).toMatchObject({ parked: 2 });
});

it('an applied event is not left in the queue without its dead letter if a slow dispatcher parks the event during its redelivery', async () => {
  const [poison, second] = [received(1, 'failed'), received(2)];
  await apply(second);
  await park(environment(), instance, [blocked(poison, true)]);
  // A slow dispatcher has announced that it will park the event.
  await instances.parking.begin(instance, second.record.position);
  const remove = deadLetters.remove.bind(deadLetters);
  let isSlow = true;
  deadLetters.remove = async (id) => {
    if (isSlow && id === letterOf(second)) {
      isSlow = false;
      await park(environment(), instance, [blocked(second, false)]);
    }
    return remove(id);
  };
  await apply(second);
  expect([await parked(), await letterIds()]).toEqual([['e1'], [letterOf(poison)]]);
});

it('an applied event is not left in the queue without its dead letter if a slow dispatcher parks the event at the end of a redrive', async () => {
  const [first, poison] = [received(1), received(2, 'failed')];
  await park(environment(), instance, [blocked(first, true), blocked(poison, false)]);
  // An earlier attempt of this redrive was interrupted after its announcement, so the queue must be counted at the end.
  await instances.parking.begin(instance, received(3).record.position);
  const removeParked = deadLetters.removeParked.bind(deadLetters);
  let removals = 0;
  deadLetters.removeParked = async (letters) => {
    const isOfFirst = letters.some(({ letterId }) => letterId === letterOf(first));
    // The redrive removes the dead letter when it dequeues the event, and again when the redrive ends.
    if (isOfFirst && ++removals === 2) await park(environment(), instance, [blocked(first, false)]);
    return removeParked(letters);
  };
  await redrive(3);
  expect([await parked(), await letterIds()]).toEqual([['e2'], [letterOf(poison)]]);
});

it('a redrive does not restore events that another redrive dequeued in the meantime', async () => {
  const poison = received(1, 'failed');
  await park(environment(), instance, [blocked(poison, false)]);
  models.transition = async () => {
    await deadLetters.remove(letterOf(poison));
    await instances.parking.remove(instance, [poison.record.position]);
    return { kind: 'failed', reason: 'broken' };
  };
  await redrive(2);
  expect([await parked(), await letterIds()]).toEqual([[], []]);
});

it('no dead letter remains for an event that a redrive dequeues before its dead letter is stored', async () => {
  const put = deadLetters.put.bind(deadLetters);
  // The event is parked at this point, but its dead letter does not exist yet.
  deadLetters.put = async (letters) => {
    await redrive(2);
    return put(letters);
  };
  await park(environment(), instance, [blocked(received(1), true)]);
  expect([await parked(), await letterIds()]).toEqual([[], []]);
});

it('a stream record with two copies of a failing event is complete after both copies are parked, even with replyTo', async () => {
  const replyTo = { model: 'asker', transaction: 'A1' };
  const [first, again] = [1, 2].map((place) => received(place, 'failed', { id: 'e', replyTo }));
  // The stream record is returned to the stream as a whole, so both copies are redelivered.
  await apply(first!, again!);
  expect(await apply(first!, again!)).toMatchObject({ failures: [], rejected: [] });
  expect(await parked()).toEqual(['e', 'e']);
});

it('a redrive does not apply events that arrived after its request', async () => {
  const [poison, second] = [received(1, 'failed'), received(3)];
  await park(environment(), instance, [blocked(poison, true)]);
  await park(environment(), instance, [blocked(second, false)]);
  models.crash = () => ({ kind: 'answered', answer: { outcomes: [{ outcome: 'applied' }] } });
  await redrive(2);
  expect(await parked()).toEqual(['e3']);
  // Another dispatcher could still be parking events of a later batch, so only a new redrive applies the events that
  // arrived later.
  expect(models.stream.events).toMatchObject([{ type: 'milepost.redrive', transactionid: 'T1' }]);
});

it('a status row never shows an empty queue while events are parked', async () => {
  const [ghost, poison] = [received(1), received(2, 'failed')];
  await park(environment(), instance, [blocked(poison, true)]);
  // A dispatcher parked this event, and then timed out before it counted the queue.
  const { event, record } = ghost;
  const why = { reason: 'broken', fault: false, at: '2026-01-01T00:00:00.000Z' };
  await instances.parking.park([
    { event, position: record.position, ...why, letterId: letterOf(ghost) },
  ]);
  await redrive(3);
  expect(await parked()).toEqual(['e2']);
  expect(instances.rowOf(instance)).toMatchObject({ parked: 1 });
});

/** Redrives the instance with a request at the given position. */
function redrive(place: number): Promise<void> {
  const { position } = received(place).record;
  const sliceEnd = Deadline.none(clock);
  return redriveQueue(environment(), entry, {
    instance,
    cause: position,
    upTo: position,
    sliceEnd,
  });
}
