import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { dynamoDbOf } from '../support/aws-in-memory/dynamodb-of.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory, instancesTable } from '../support/aws-in-memory/instances-in-memory.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';

const key = { model: 'counter', transaction: 'T1' };
const clock = new ManualClock();
let instances: InstancesInMemory;
let store: DynamoDbInstanceStore;

const outcomes = async (...events: PositionedEvent[]) => {
  const [stream, notifier] = [new EventStreamInMemory(), new NotifierInMemory()];
  const all = await transition({ model: counter, store, stream, notifier, clock }, events);
  return all.map(({ outcome }) => outcome);
};
const sum = () => {
  const { state } = instances.commitsOf(key).at(-1)!;
  return (JSON.parse(state) as { sum: number }).sum;
};

describe('transition after a stale optimistic read', () => {
  const started = placed(1, { data: { n: 4 } });
  const next = placed(2, { data: { n: 8 } });

  /** Returns the store of a process whose optimistic reads return stale items. */
  const storeThatRead = (past: MemoryDynamoDb) =>
    instances.newStore(
      dynamoDbOf({
        send: (command) =>
          (command instanceof BatchGetItemCommand ? past : instances.database).send(command),
      }),
    );

  beforeEach(async () => {
    instances = new InstancesInMemory(clock);
    store = instances.store;
    await outcomes(started);
    const past = new MemoryDynamoDb({ [instancesTable]: {} });
    for (const item of instances.database.items(instancesTable)) past.put(instancesTable, item);
    await outcomes(next);
    store = storeThatRead(past);
  });

  it('folds the events again from the latest commit', async () => {
    expect(await outcomes(placed(3, { data: { n: 1 } }))).toEqual(['applied']);
    expect(instances.commitsOf(key).map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(sum()).toBe(13);
  });

  it('recognizes a duplicate that the stale commit does not contain', async () => {
    expect(await outcomes(next, placed(3))).toEqual(['duplicate', 'applied']);
    expect(sum()).toBe(13);
  });

  it('recognizes a duplicate that is the only event in its batch', async () => {
    expect(await outcomes(next)).toEqual(['duplicate']);
    expect(instances.commitsOf(key)).toHaveLength(2);
  });

  it('reports a model failure only if the model fails on the latest state', async () => {
    // On the stale state, whose sum is 4, the model would fail.
    expect(await outcomes(placed(3, { type: 'failed', data: { below: 10 } }))).toEqual(['applied']);
  });

  it('reports that an event waits for an earlier event that was parked in the meantime', async () => {
    await instances.parking.begin(key, placed(3).position);
    await instances.parking.park([
      {
        ...placed(3),
        reason: 'broken',
        fault: true,
        at: '2026-01-01T00:00:00.000Z',
        letterId: 'l',
      },
    ]);
    expect(await outcomes(placed(4))).toEqual(['behind']);
  });

  it('finds an instance that the optimistic read missed', async () => {
    store = storeThatRead(new MemoryDynamoDb({ [instancesTable]: {} }));
    expect(await outcomes(placed(3, { data: { n: 1 } }), started)).toEqual([
      'applied',
      'duplicate',
    ]);
    expect(sum()).toBe(13);
  });
});
