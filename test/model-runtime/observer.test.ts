import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import type { DynamoDbObservationStore } from '../../src/aws/monitoring/dynamodb-observation-store.ts';
import { Observer } from '../../src/model-runtime/observer.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { observationStoreInMemory } from '../support/aws-in-memory/stores-in-memory.ts';
import { ManualClock } from '../support/manual-clock.ts';

let clock: ManualClock;
let database: MemoryDynamoDb;
let store: DynamoDbObservationStore;
let errors: unknown[];
let observer: Observer;
beforeEach(() => {
  clock = new ManualClock();
  database = new MemoryDynamoDb({ instances: {} });
  store = observationStoreInMemory(database);
  errors = [];
  observer = new Observer('m', { store, clock, logError: (error) => errors.push(error) });
});

const minute = '2026-01-01T00:00:00.000Z';
const see = (events: number, ...ms: number[]) =>
  observer.record([{ at: minute, events, steps: ms.map((each) => ({ step: 's', ms: each })) }]);
const written = async () => (await store.eventCounts(['m'], clock.now())).get('m');
const paced = async () => (await store.stepDurations('m')).estimate('s', 1)?.count ?? 0;

/** Makes the next write of step durations fail, as if another process had written first. */
function loseNextPace(): void {
  database.interfere = (command) => {
    if (!(command instanceof PutItemCommand && command.input.Item?.stepDurations)) return;
    database.interfere = () => {};
    throw new ServiceError('ConditionalCheckFailedException', 'another writer was first', 400);
  };
}

describe('Observer', () => {
  it('writes its first observation before `record` resolves', async () => {
    await see(3, 100);
    expect(await written()).toEqual([{ minute, events: 3 }]);
    expect(await paced()).toBe(1);
  });

  it('collects later observations and writes them within ten seconds, even without another event', async () => {
    await see(1);
    await see(2, 100);
    await see(3, 100);
    expect(await written()).toEqual([{ minute, events: 1 }]);
    await clock.advance(10_000);
    expect(await written()).toEqual([{ minute, events: 6 }]);
    expect(await paced()).toBe(2);
  });

  it('continues to write if the clock is set back', async () => {
    await see(1);
    clock.setBack(24 * 60 * 60 * 1_000);
    await see(2);
    expect(await written()).toEqual([{ minute, events: 3 }]);
  });

  it('delays each batch by at most 500 ms if the store does not respond', async () => {
    const silent = { addEventCounts: () => new Promise<never>(() => {}) };
    observer = new Observer('m', {
      store: silent as unknown as DynamoDbObservationStore,
      clock,
      logError: (error) => errors.push(error),
    });
    const start = clock.now();
    for (let batch = 1; batch <= 3; batch++) await clock.runUntil(see(1));
    expect(clock.now() - start).toBeLessThanOrEqual(3 * 500);
  });

  it('writes nothing without observations', async () => {
    await observer.record([]);
    await clock.advance(60_000);
    expect(database.items('instances')).toEqual([]);
  });

  it('keeps its step durations for the next write if another writer wrote first', async () => {
    loseNextPace();
    await see(1, 100);
    expect(await paced()).toBe(0);
    await clock.advance(10_000);
    await see(1, 100);
    expect(await paced()).toBe(2);
  });

  it('reports a failed write and continues', async () => {
    const failure = new Error('no table');
    database.interfere = () => {
      throw failure;
    };
    await see(1, 100);
    expect(errors).toEqual([failure]);
    database.interfere = () => {};
    await clock.advance(10_000);
    await see(2);
    expect(await written()).toEqual([{ minute, events: 2 }]);
  });
});
