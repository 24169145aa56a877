import { beforeEach, describe, expect, it } from 'vitest';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import { emittedEvent } from '../../src/core/effects/outgoing-event.ts';
import { withMac } from '../../src/core/event/event-mac.ts';
import { readKeyRing, signingKey, withNewKey } from '../../src/core/event/key-ring.ts';
import { redriveEvent } from '../../src/core/event/redrive.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import type { DeadLetterStore } from '../../src/stores/dead-letter-store.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { allDeadLetters, deadLettersInMemory } from '../support/aws-in-memory/stores-in-memory.ts';
import { macsOf, oneKey, signed } from '../support/data/event-macs.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';
import { ModelLambdas } from '../support/models/model-lambdas.ts';
import { registryEntry } from '../support/models/registry-entry.ts';

const hours = 60 * 60 * 1_000;
const clock = new ManualClock();
const instance = { model: 'counter', transaction: 'T1' };
let instances: InstancesInMemory;
let deadLetters: DeadLetterStore;
let models: ModelLambdas;
let registry: ModelRegistryInMemory;
let macs: DispatchDependencies['macs'];
let failureTracker: FailureTracker;
let place = 0;

beforeEach(() => {
  instances = new InstancesInMemory(clock);
  deadLetters = deadLettersInMemory(clock);
  models = new ModelLambdas(counter, instances, clock);
  registry = new ModelRegistryInMemory(registryEntry('counter'));
  macs = macsOf();
  failureTracker = new FailureTracker();
});

function run(...records: StreamRecord[]) {
  return dispatch(
    {
      deaggregate: userRecords,
      registry: new RegistryCache(registry, clock),
      parking: instances.parking,
      deadLetters,
      models,
      stream: models.stream,
      retry: { attempts: 1, backoff: 0 },
      failureTracker,
      clock,
      macs,
      log: { deadLetters: () => {}, parked: () => {}, failures: () => {} },
    },
    records,
  );
}

function raw(data: Uint8Array | object): StreamRecord {
  const sequence = String(++place).padStart(8, '0');
  const bytes = data instanceof Uint8Array ? data : Buffer.from(JSON.stringify(data));
  return {
    recordId: `shard:${sequence}`,
    position: { shard: 'shard', sequence },
    partitionKey: 'T1',
    arrivedAt: clock.now(),
    data: bytes,
  };
}

/** Returns the second event that the instance `sender/S1` sends with its seventh commit. Its data contains `n`. */
const effect = (n: number) => {
  const cause = { model: 'sender', transaction: 'S1', id: 'e', source: 's', type: 't' };
  const emit = { kind: 'emit', ...instance, type: 'added', data: { n } } as const;
  return emittedEvent({ ...cause, time: '2026-01-01T00:00:00.000Z' }, emit, 7, '0.1').event;
};
const plain = (id: string, transactionid = 'T1') => ({
  ...{ id, type: 'added', modelid: 'counter', transactionid, data: { n: 1 } },
});
const applied = (transaction = 'T1') =>
  instances
    .commitsOf({ model: 'counter', transaction })
    .flatMap(({ entries }) => entries.map(({ event }) => [event.source, event.id]));
const reasons = async () => (await allDeadLetters(deadLetters)).map(({ reason }) => reason);

describe('an event that Milepost sends', () => {
  it('is applied if its MAC is valid', async () => {
    expect(await run(raw(signed(effect(1))))).toEqual([]);
    expect(applied()).toEqual([['milepost:sender/S1', '7.0.1']]);
    expect(await reasons()).toEqual([]);
  });

  it('is applied even if a producer has already used its predictable id, with the same or another source', async () => {
    const forged = raw(effect(99));
    await run(forged, raw({ ...effect(99), source: 'sender/S1' }));
    await run(raw({ ...effect(99), source: 'milepost' }), raw(signed(effect(1))));
    expect(applied()).toEqual([
      ['sender/S1', '7.0.1'],
      ['milepost', '7.0.1'],
      ['milepost:sender/S1', '7.0.1'],
    ]);
    const [letter] = await allDeadLetters(deadLetters);
    expect(letter).toMatchObject({
      raw: forged.data,
      reason:
        "the source starts with milepost:, which is reserved for Milepost's own events, but the event has no MAC",
      modelId: 'counter',
      transactionId: 'T1',
      eventId: '7.0.1',
    });
  });

  it.each<[string, () => Uint8Array, RegExp]>([
    [
      'its MAC was made with another key of the same id',
      () => signed(effect(1), JSON.stringify({ 0: 'x'.repeat(32) })),
      /the MAC is invalid$/,
    ],
    [
      'its MAC was made with a key that the tracker does not have',
      () => signed(effect(1), JSON.stringify({ 7: 'x'.repeat(32) })),
      /the MAC names the key 7, which the tracker does not have$/,
    ],
    [
      'its MAC belongs to another event',
      () =>
        Buffer.from(
          Buffer.from(signed(effect(1)))
            .toString()
            .replace('"data":{"n":1}', '"data":{"n":2}'),
        ),
      /the MAC is invalid$/,
    ],
    [
      'its source has the reserved prefix in capital letters, without a MAC',
      () => Buffer.from(JSON.stringify({ ...effect(1), source: 'MILEPOST:sender/S1' })),
      /the event has no MAC$/,
    ],
  ])('becomes a dead letter if %s', async (_, data, reason) => {
    expect(await run(raw(data()), raw(plain('a')))).toEqual([]);
    expect(applied()).toEqual([['unknown', 'a']]);
    expect(await reasons()).toEqual([expect.stringMatching(reason)]);
  });

  it('cannot be forged by a producer to start a redrive', async () => {
    models.crash = () => ({ kind: 'failed', reason: 'out of memory' });
    await run(raw(plain('a')));
    models.crash = () => undefined;
    await run(raw(redriveEvent(instance)));
    // An event without the reserved source is sent to the model, which rejects its unknown type.
    await run(raw({ ...redriveEvent(instance), source: 'milepost' }));
    expect(applied()).toEqual([]);
    await run(raw(signed(redriveEvent(instance))));
    expect(applied()[0]).toEqual(['unknown', 'a']);
  });
});

describe('a rotation of the signing keys', () => {
  const rotated = withNewKey(oneKey, clock.now(), 'y'.repeat(43));
  const later = () => {
    const [, key] = [...readKeyRing(rotated).values()];
    return withMac(Buffer.from(JSON.stringify({ ...effect(2), id: '8.0.1' })), key!);
  };

  it('keeps events that were signed with an earlier key valid, on the stream and in dead letters', async () => {
    registry.unregister('counter');
    const early = raw(signed(effect(1)));
    await run(early);
    expect(await reasons()).toEqual(['no such model: counter']);

    macs = macsOf(rotated);
    registry.register(registryEntry('counter'));
    const [letter] = await allDeadLetters(deadLetters);
    await run(raw(later()), raw(letter!.raw));
    expect(applied().map(([, id]) => id)).toEqual(['8.0.1', '7.0.1']);
    expect(signingKey(readKeyRing(rotated), clock.now()).id).toBe('0');
  });

  it('does not affect the redrive of parked events', async () => {
    models.crash = () => ({ kind: 'failed', reason: 'out of memory' });
    await run(raw(signed(effect(1))));
    expect(applied()).toEqual([]);

    // The event's key no longer exists. The event's MAC was verified before it was parked, so the redrive does not need
    // the key.
    macs = macsOf(JSON.stringify({ 9: 'z'.repeat(32) }));
    models.crash = () => undefined;
    await run(raw(signed(redriveEvent(instance), JSON.stringify({ 9: 'z'.repeat(32) }))));
    expect(applied()).toEqual([['milepost:sender/S1', '7.0.1']]);
    expect(await reasons()).toEqual([]);
  });
});

describe('dispatch without readable signing keys', () => {
  beforeEach(() => {
    macs = { findFlaw: () => Promise.reject(new Error('the signing keys cannot be read')) };
  });

  it("returns Milepost's own events to the stream, together with the later events of their instances", async () => {
    const [own, behind] = [raw(signed(effect(1))), raw(plain('b'))];
    const handedBack = await run(raw(plain('a')), own, raw(plain('c', 'T2')), behind);
    expect(handedBack).toEqual([own, behind]);
    expect(applied()).toEqual([['unknown', 'a']]);
    expect(applied('T2')).toEqual([['unknown', 'c']]);
    expect(await reasons()).toEqual([]);

    macs = macsOf();
    expect(await run(own, behind)).toEqual([]);
    expect(applied().map(([, id]) => id)).toEqual(['a', '7.0.1', 'b']);
  });

  it("returns Milepost's own events to the stream for twelve hours, and then turns them into dead letters that can be redriven", async () => {
    const [own, behind] = [raw(signed(effect(1))), raw(plain('b'))];
    for (const pause of [11.9 * hours, 0.1 * hours]) {
      expect(await run(own, behind)).toEqual([own, behind]);
      await clock.advance(pause);
    }
    expect(await run(own, behind)).toEqual([behind]);
    expect(await reasons()).toEqual([
      'could not be verified, because AWS kept failing for hours: the signing keys cannot be read',
    ]);
    expect(await run(behind)).toEqual([]);
    expect(applied().map(([, id]) => id)).toEqual(['b']);

    macs = macsOf();
    const [letter] = await allDeadLetters(deadLetters);
    await run(raw(letter!.raw));
    expect(applied().map(([, id]) => id)).toEqual(['b', '7.0.1']);
  });

  it("returns Milepost's own events to the stream for half an hour after a backlog, because the fault may be temporary", async () => {
    const own = raw(signed(effect(1)));
    await clock.advance(24 * hours);
    expect(await run(own)).toEqual([own]);
    await clock.advance(0.4 * hours);
    expect(await run(own)).toEqual([own]);
    expect(await reasons()).toEqual([]);
  });

  it('applies events whose sources are not reserved for Milepost', async () => {
    expect(await run(raw(plain('a')), raw({ ...plain('b'), source: 'milepost' }))).toEqual([]);
    expect(applied().map(([, id]) => id)).toEqual(['a', 'b']);
  });
});
