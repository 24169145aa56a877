import { beforeEach, describe, expect, it } from 'vitest';
import { commitPrefix, parkedKey, parkedPrefix } from '../../src/aws/instances/instance-keys.ts';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import { redriveEvent } from '../../src/core/event/redrive.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import type { DeadLetterStore } from '../../src/stores/dead-letter-store.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import {
  failing,
  InstancesInMemory,
  instancesTable,
} from '../support/aws-in-memory/instances-in-memory.ts';
import type { ItemAccess } from '../support/aws-in-memory/item-access.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { allDeadLetters, deadLettersInMemory } from '../support/aws-in-memory/stores-in-memory.ts';
import { macsOf, signed } from '../support/data/event-macs.ts';
import { counter } from '../support/models/counter-model.ts';
import { ModelLambdas } from '../support/models/model-lambdas.ts';
import { registryEntry } from '../support/models/registry-entry.ts';
import { skipSleep } from '../support/skip-sleep.ts';

let instances: InstancesInMemory;
let lettersDatabase: MemoryDynamoDb;
let deadLetters: DeadLetterStore;
let models: ModelLambdas;
let broken: boolean;
let pauses: number[];
let run: (...records: StreamRecord[]) => Promise<StreamRecord[]>;
let place = 0;
let now: number;

beforeEach(() => {
  pauses = [];
  broken = true;
  now = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (!signal) pauses.push(ms);
      return skipSleep(ms, signal);
    },
  };
  instances = new InstancesInMemory(clock);
  lettersDatabase = new MemoryDynamoDb({ letters: {} });
  deadLetters = deadLettersInMemory(clock, lettersDatabase);
  const model = {
    ...counter,
    transition: ((event, ...rest) => {
      if (event.type === 'failed' && !broken)
        return counter.transition({ ...event, type: 'added', data: { n: 1 } }, ...rest);
      return counter.transition(event, ...rest);
    }) as typeof counter.transition,
  };
  models = new ModelLambdas(model, instances, clock);
  const environment = {
    deaggregate: userRecords,
    registry: new RegistryCache(new ModelRegistryInMemory(registryEntry('counter')), clock),
    parking: instances.parking,
    deadLetters,
    models,
    stream: models.stream,
    retry: { attempts: 3, backoff: 200 },
    failureTracker: new FailureTracker(),
    clock,
    macs: macsOf(),
    log: { deadLetters: () => {}, parked: () => {}, failures: () => {} },
  };
  run = (...records) => dispatch(environment, records);
});

function record(transactionid: string, id: string, more: object = {}): StreamRecord {
  const sequence = String(++place);
  return {
    recordId: `shard:${sequence}`,
    position: { shard: 'shard', sequence },
    partitionKey: transactionid,
    // Each record has a distinct arrival time, because dead letters are listed by arrival time.
    arrivedAt: Date.UTC(2026, 0, 1) - 1_000 + place,
    data: Buffer.from(
      JSON.stringify({
        id,
        type: 'added',
        modelid: 'counter',
        transactionid,
        data: { n: 1 },
        ...more,
      }),
    ),
  };
}
const poison = (transactionid: string, id: string) => record(transactionid, id, { type: 'failed' });
const redrive = (transaction: string) => ({
  ...record(transaction, 'redrive'),
  data: signed(redriveEvent({ model: 'counter', transaction })),
});
const key = (transaction: string) => ({ model: 'counter', transaction });
const applied = (transaction: string) =>
  instances
    .commitsOf(key(transaction))
    .flatMap((commit) => commit.entries.map((entry) => entry.event.id));
const parked = async (transaction: string) =>
  (await instances.parking.oldest(key(transaction), 1000)).map(({ event }) => event.id);
/** True if a request parks an event. */
const parks = ({ kind, sk }: ItemAccess) => kind === 'put' && sk.startsWith(parkedPrefix);
const letters = async () =>
  (await allDeadLetters(deadLetters)).map(({ eventId, reason }) => [eventId, reason]);

describe('an event that the model fails on', () => {
  it('is parked after three attempts, with pauses between them', async () => {
    expect(await run(poison('A', 'bad'))).toEqual([]);
    expect(models.invokes).toBe(3);
    expect(pauses).toEqual([200, 800]);
    expect(await parked('A')).toEqual(['bad']);
    expect(await letters()).toEqual([['bad', expect.stringContaining('told to fail')]]);
  });

  it('is not parked if the last attempt succeeds', async () => {
    let tries = 0;
    models.crash = () => (++tries < 3 ? { kind: 'failed', reason: 'crashed' } : undefined);
    expect(await run(record('A', 'a'))).toEqual([]);
    expect(applied('A')).toEqual(['a']);
    expect(await letters()).toEqual([]);
  });

  it('blocks the later events of its instance, but no other instance', async () => {
    await run(record('A', 'a1'), poison('A', 'bad'), record('B', 'b1'), record('A', 'a2'));
    await run(record('A', 'a3'), record('B', 'b2'));
    expect(applied('A')).toEqual(['a1']);
    expect(applied('B')).toEqual(['b1', 'b2']);
    expect(await parked('A')).toEqual(['bad', 'a2', 'a3']);
    expect(await letters()).toEqual([
      ['bad', expect.stringContaining('told to fail')],
      ['a2', 'an earlier event of the instance is parked'],
      ['a3', 'an earlier event of the instance is parked'],
    ]);
    expect(instances.rowOf(key('A'))).toMatchObject({ version: 1, parked: 3 });
  });

  it('does not affect other instances even if it crashes the function', async () => {
    models.crash = (events) =>
      broken && events.some(({ event }) => event.type === 'failed')
        ? { kind: 'failed', reason: 'out of memory' }
        : undefined;
    const others = Array.from({ length: 20 }, (_, i) => record(`O${i}`, 'o'));
    expect(await run(...others.slice(0, 7), poison('A', 'bad'), ...others.slice(7))).toEqual([]);
    for (let i = 0; i < 20; i++) expect(applied(`O${i}`)).toEqual(['o']);
    expect(await parked('A')).toEqual(['bad']);
  });

  it('is parked with a truncated, well-formed reason if the function fails with a long, malformed reason', async () => {
    models.crash = () => ({ kind: 'failed', reason: `\ud83d ${'x'.repeat(300_000)}` });
    await run(record('A', 'a'));
    const [queued] = await instances.parking.oldest(key('A'), 1);
    for (const reason of [queued!.reason, (await letters())[0]![1]!]) {
      expect(reason).toContain('xxx');
      expect(reason.length).toBeLessThan(2000);
      expect(reason.isWellFormed()).toBe(true);
    }
  });

  it('is parked once, regardless of how often the stream delivers it', async () => {
    const batch = [record('A', 'a1'), poison('A', 'bad'), record('A', 'a2')];
    await run(...batch);
    expect(await run(...batch)).toEqual([]);
    expect(await parked('A')).toEqual(['bad', 'a2']);
    expect(await letters()).toHaveLength(2);
  });

  it('is returned to the stream with the later events of its instance if it cannot be parked', async () => {
    const batch = [poison('A', 'bad'), record('A', 'a2'), record('B', 'b1')];
    lettersDatabase.interfere = () => {
      throw new Error('throttled');
    };
    expect(await run(...batch)).toEqual(batch.slice(0, 2));
    lettersDatabase.interfere = () => {};
    expect(await run(...batch)).toEqual([]);
    expect(await parked('A')).toEqual(['bad', 'a2']);
    expect(applied('B')).toEqual(['b1']);
  });
});

describe("an event whose model's function is unavailable", () => {
  it('is returned to the stream instead of being parked', async () => {
    models.crash = () => ({ kind: 'unavailable', reason: 'throttled' });
    const batch = [record('A', 'a1'), record('B', 'b1')];
    expect(await run(...batch)).toEqual(batch);
    expect(await letters()).toEqual([]);
    expect(pauses).toEqual([]);
  });
});

describe('a redrive', () => {
  it('applies each parked event once, in order, including events that arrived later', async () => {
    await run(record('A', 'a1'), poison('A', 'bad'), record('A', 'a2'));
    await run(record('A', 'a3'));
    broken = false;
    expect(await run(redrive('A'), record('A', 'a4'))).toEqual([]);
    expect(applied('A')).toEqual(['a1', 'bad', 'a2', 'a3', 'a4']);
    expect(await parked('A')).toEqual([]);
    expect(await letters()).toEqual([]);
    expect(instances.rowOf(key('A'))).toMatchObject({ parked: 0 });
    await run(record('A', 'a5'));
    expect(applied('A').at(-1)).toBe('a5');
  });

  it('leaves all events parked if the model fails again on the first event', async () => {
    await run(poison('A', 'bad'), record('A', 'a2'));
    expect(await run(redrive('A'))).toEqual([]);
    expect(await parked('A')).toEqual(['bad', 'a2']);
    expect(applied('A')).toEqual([]);
  });

  it('stops at the next event that the model fails on, and records the reason', async () => {
    await run(poison('A', 'bad1'), record('A', 'a2'), poison('A', 'bad3'), record('A', 'a4'));
    models.crash = (events) =>
      events.some(({ event }) => event.id === 'bad3')
        ? { kind: 'failed', reason: 'again' }
        : undefined;
    broken = false;
    await run(redrive('A'));
    expect(applied('A')).toEqual(['bad1', 'a2']);
    expect(await parked('A')).toEqual(['bad3', 'a4']);
    expect(await letters()).toEqual([
      ['bad3', 'again'],
      ['a4', 'an earlier event of the instance is parked'],
    ]);
  });

  it('stores a truncated, well-formed reason if the model fails again with a long, malformed reason', async () => {
    await run(poison('A', 'bad'));
    models.crash = () => ({ kind: 'failed', reason: `\ud83d ${'x'.repeat(300_000)}` });
    await run(redrive('A'));
    const [[, reason] = []] = await letters();
    expect(reason).toContain('xxx');
    expect(reason!.length).toBeLessThan(2000);
    expect(reason!.isWellFormed()).toBe(true);
  });

  it('continues after the last applied event if it was interrupted', async () => {
    await run(poison('A', 'bad'), record('A', 'a2'), record('A', 'a3'));
    broken = false;
    const [first] = await instances.parking.oldest(key('A'), 1);
    instances.interfere = failing(
      ({ kind, sk }) => kind === 'delete' && sk !== parkedKey(first!.position),
    );
    const asked = redrive('A');
    expect(await run(asked)).toEqual([asked]);
    instances.interfere = () => {};
    expect(await parked('A')).toEqual(['a2', 'a3']);
    expect(await run(asked)).toEqual([]);
    expect(applied('A')).toEqual(['bad', 'a2', 'a3']);
    expect(await parked('A')).toEqual([]);
  });

  it("is returned to the stream while the model's function is unavailable, and becomes a dead letter after two hours", async () => {
    await run(poison('A', 'bad'));
    models.crash = () => ({ kind: 'unavailable', reason: 'ItemTooLarge' });
    const request = redrive('A');
    expect(await run(request)).toEqual([request]);
    now += 2 * 60 * 60 * 1000;
    expect(await run(request)).toEqual([]);
    expect(await parked('A')).toEqual(['bad']);
    expect(await letters()).toContainEqual([
      expect.any(String),
      'could not be redriven, because AWS kept failing for hours: ItemTooLarge',
    ]);
  });

  it('is returned to the stream even if it is more than two hours old at its first attempt, because the fault may be temporary', async () => {
    await run(poison('A', 'bad'));
    models.crash = () => ({ kind: 'unavailable', reason: 'throttled' });
    const request = redrive('A');
    now += 3 * 60 * 60 * 1000;
    expect(await run(request)).toEqual([request]);
  });

  it('is returned to the stream if some events of its batch cannot be parked', async () => {
    await run(poison('A', 'bad'));
    broken = false;
    const batch = [record('A', 'a2'), redrive('A'), record('A', 'a3')];
    instances.interfere = failing(
      (access) => parks(access) && access.sk === parkedKey(batch[0]!.position),
    );
    expect(await run(...batch)).toHaveLength(3);
    instances.interfere = () => {};
    expect(await run(...batch)).toEqual([]);
    expect(applied('A')).toEqual(['bad', 'a2', 'a3']);
  });

  it('of an instance without parked events changes nothing', async () => {
    await run(record('A', 'a1'));
    expect(await run(redrive('A'))).toEqual([]);
    expect(instances.commitsOf(key('A'))).toHaveLength(1);
  });

  it('follows immediately when an event is parked after another redrive has emptied the queue', async () => {
    await run(poison('A', 'bad'));
    broken = false;
    const [queued] = await instances.parking.oldest(key('A'), 1);
    // The other redrive empties the queue after the model's function has read it and before the event is parked.
    instances.interfere = (access) => {
      const item = { pk: { S: access.pk }, sk: { S: parkedKey(queued!.position) } };
      if (parks(access)) instances.database.delete(instancesTable, item);
    };
    expect(await run(record('A', 'a2'))).toEqual([]);
    expect(applied('A')).toEqual(['a2']);
    expect(await parked('A')).toEqual([]);
  });

  it('is given up after two hours if AWS keeps rejecting its commit, and the events remain parked', async () => {
    await run(poison('A', 'bad'), record('A', 'a2'));
    broken = false;
    // An interrupted redrive left an event that the model can apply at the head of the queue.
    const [first] = await instances.parking.oldest(key('A'), 1);
    await instances.parking.remove(key('A'), [first!.position]);
    instances.interfere = failing(
      ({ kind, pk, sk }) => kind === 'put' && pk === 'counter#A' && sk.startsWith(commitPrefix),
    );
    const later = record('A', 'a3');
    expect(await run(later)).toEqual([later]);
    now += 2 * 60 * 60 * 1000;
    expect(await run(later)).toEqual([]);
    expect(await parked('A')).toEqual(['a2', 'a3']);
    instances.interfere = () => {};
    expect(await run(redrive('A'))).toEqual([]);
    expect(applied('A')).toEqual(['a2', 'a3']);
  });
});
