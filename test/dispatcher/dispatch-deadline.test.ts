import { beforeEach, describe, expect, it } from 'vitest';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import { Deadline } from '../../src/common/deadline.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import { redriveEvent } from '../../src/core/event/redrive.ts';
import { rebuildEvent } from '../../src/core/replay/rebuild.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { outOfTimeReason } from '../../src/dispatcher/invoke-model.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import { noTime } from '../../src/model-runtime/protocol.ts';
import type { ParkingStore } from '../../src/parking/parking-store.ts';
import type { DeadLetterStore } from '../../src/stores/dead-letter-store.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { deadLettersInMemory } from '../support/aws-in-memory/stores-in-memory.ts';
import { macsOf, signed } from '../support/data/event-macs.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { registryEntry } from '../support/models/registry-entry.ts';
import { answered, StubInvoker } from '../support/models/stub-invoker.ts';

const seconds = 1_000;
const hours = 60 * 60 * seconds;
/** The timeout of the deployed dispatcher, in milliseconds. */
const dispatcherTimeout = 900 * seconds;
/** How much of the timeout the dispatcher's handler reserves for its response, in milliseconds. */
const timeToAnswer = 5 * seconds;

const never = <Value>(): Promise<Value> => new Promise(() => undefined);

let clock: ManualClock;
let models: StubInvoker;
let registry: ModelRegistryInMemory;
let parking: ParkingStore;
let deadLetters: DeadLetterStore;
let attempts: number;
let failureTracker: FailureTracker;

beforeEach(() => {
  clock = new ManualClock();
  models = new StubInvoker();
  registry = new ModelRegistryInMemory(registryEntry('counter'), registryEntry('other'));
  parking = new InstancesInMemory(clock).parking;
  deadLetters = deadLettersInMemory(clock);
  attempts = 3;
  failureTracker = new FailureTracker();
});

function record(transaction: string, id: string, model = 'counter', age = 0): StreamRecord {
  const sequence = String(4_960_000 + ++drawn);
  const event = { id, type: 'added', modelid: model, transactionid: transaction };
  return {
    recordId: `shard-0:${sequence}`,
    position: { shard: 'shard-0', sequence },
    partitionKey: transaction,
    arrivedAt: clock.now() - age,
    data: Buffer.from(JSON.stringify(event)),
  };
}
let drawn = 0;

const requests = {
  rebuilds: (instance: InstanceKey) => rebuildEvent(instance, { rowsOnly: true }),
  redrives: redriveEvent,
};

const requestRecord = (kind: keyof typeof requests, transaction: string): StreamRecord => ({
  ...record(transaction, ''),
  data: signed(requests[kind]({ model: 'counter', transaction })),
});

/** Dispatches the records. Returns the ids of the events that are returned to the stream, and the duration in seconds. */
async function run(records: readonly StreamRecord[]) {
  const started = clock.now();
  const silent = { deadLetters: () => {}, parked: () => {}, failures: () => {} };
  const environment = {
    deaggregate: userRecords,
    registry: new RegistryCache(registry, clock),
    macs: macsOf(),
    deadLetters,
    parking,
    models,
    stream: new EventStreamInMemory(),
    retry: { attempts, backoff: 200 },
    failureTracker,
    clock,
    log: silent,
  };
  const deadline = new Deadline(clock, started + dispatcherTimeout - timeToAnswer);
  const handedBack = await clock.runUntil(dispatch(environment, records, deadline));
  const ids = handedBack.map(({ data }) => (JSON.parse(String(data)) as { id: string }).id);
  return { handedBack: ids, took: (clock.now() - started) / seconds };
}

const parked = async (transaction: string, model = 'counter') =>
  (await parking.oldest({ model, transaction }, 1_000)).map(({ event }) => event.id);

/**
 * Makes the model hang on some events until its function times out after `timeout` seconds. Returns the ids of the
 * applied events.
 */
function hangingOn(hangs: (id: string) => boolean, timeout: number) {
  const applied: string[] = [];
  models.transition = async (_, { events }) => {
    const ids = events.map(({ event }) => event.id);
    const isHanging = ids.some(hangs);
    await clock.sleep(isHanging ? timeout * seconds : 50);
    if (isHanging) return { kind: 'failed', reason: 'Task timed out' };
    applied.push(...ids);
    return answered(events.map(() => ({ outcome: 'applied' })));
  };
  return applied;
}

describe('an event that the model hangs on until its timeout', () => {
  it.each([
    [1, 10],
    [2, 10],
    [500, 10],
    [500, 120],
  ])(
    'is parked within one invocation of the dispatcher (instances in the batch: %i, timeout of the model: %i s)',
    async (count, timeout) => {
      const applied = hangingOn((id) => id === 'hang', timeout);
      const others = Array.from({ length: count - 1 }, (_, n) => record(`T${n}`, `e${n}`));
      const { handedBack, took } = await run([...others, record('X', 'hang')]);
      expect(handedBack).toEqual([]);
      expect(await parked('X')).toEqual(['hang']);
      expect(applied).toHaveLength(count - 1);
      // The batch and each attempt time out. The delays between attempts are one second in total.
      expect(took).toBeLessThanOrEqual((1 + attempts) * timeout + 10);
    },
  );

  it('is parked with the later events of its instance, after the earlier events are applied', async () => {
    const applied = hangingOn((id) => id === 'e250', 120);
    const events = Array.from({ length: 500 }, (_, n) => record('T', `e${n}`));
    expect((await run(events)).handedBack).toEqual([]);
    expect(applied).toEqual(Array.from({ length: 250 }, (_, n) => `e${n}`));
    expect(await parked('T')).toEqual(Array.from({ length: 250 }, (_, n) => `e${n + 250}`));
  });

  it("is parked after fewer attempts than configured if the dispatcher's time runs out", async () => {
    attempts = 20;
    hangingOn((id) => id === 'hang', 120);
    const { handedBack, took } = await run([record('A', 'a1'), record('X', 'hang')]);
    expect([handedBack, await parked('X')]).toEqual([[], ['hang']]);
    expect(took).toBeLessThan(dispatcherTimeout / seconds);
  });
});

describe('dispatch with a model that hangs on every event', () => {
  it('parks some of the events and returns the other events to the stream', async () => {
    hangingOn(() => true, 120);
    const records = Array.from({ length: 300 }, (_, n) => record(`T${n}`, `e${n}`));
    const { handedBack, took } = await run(records);
    expect(took).toBeLessThan(dispatcherTimeout / seconds);
    expect(handedBack.length).toBeGreaterThan(0);
    expect(handedBack.length).toBeLessThan(300);
    const kept = await Promise.all(records.map((_, n) => parked(`T${n}`)));
    expect(kept.flat().length + handedBack.length).toBe(300);
  });

  it('applies the events of another model in the same batch', async () => {
    models.transition = (_, { events }) =>
      events[0]!.event.model === 'counter'
        ? never()
        : Promise.resolve(answered(events.map(() => ({ outcome: 'applied' }))));
    const { handedBack } = await run([record('A', 'a1'), record('B', 'b1', 'other')]);
    expect(handedBack).toEqual(['a1']);
  });
});

describe('dispatch when AWS never responds', () => {
  const batch = () => [record('A', 'a1'), record('B', 'b1', 'unknown')];

  it.each([
    ['the registry', () => void (registry.get = never)],
    ['Lambda', () => void (models.transition = never)],
  ])(
    'returns the event of a registered model to the stream before its timeout if %s does not respond',
    async (_, break_) => {
      break_();
      const { handedBack, took } = await run(batch());
      expect(handedBack).toContain('a1');
      expect(took).toBeLessThan(dispatcherTimeout / seconds);
      expect(await parked('A')).toEqual([]);
    },
  );

  it('returns only the rejected records to the stream if the dead-letter table does not respond', async () => {
    deadLetters.put = never;
    expect((await run(batch())).handedBack).toEqual(['b1']);
  });

  it('returns the failing event to the stream if the parking store does not respond', async () => {
    parking.begin = never;
    hangingOn((id) => id === 'hang', 10);
    const { handedBack } = await run([record('A', 'a1'), record('X', 'hang')]);
    expect(handedBack).toContain('hang');
  });
});

describe('a batch with rebuild or redrive requests that fail because DynamoDB does not respond', () => {
  it.each([
    [500, 'rebuilds'],
    [5_000, 'rebuilds'],
    [500, 'redrives'],
    [5_000, 'redrives'],
  ] as const)(
    'returns only the requests to the stream, before the timeout of the dispatcher: %i %s',
    async (count, kind) => {
      hangingOn(() => false, 0);
      const failAfterRetries = async () => {
        await clock.sleep(9 * seconds);
        throw new Error('no response in time');
      };
      parking.recount = failAfterRetries;
      parking.begin = failAfterRetries;
      const records = Array.from({ length: count }, (_, n) => requestRecord(kind, `T${n}`));
      const { handedBack, took } = await run([record('A', 'a1'), ...records]);
      expect(handedBack).toHaveLength(count);
      expect(handedBack).not.toContain('a1');
      expect(took).toBeLessThan(dispatcherTimeout / seconds);
    },
  );
});

describe('an event whose requests to AWS keep failing', () => {
  const refusing = (transaction: string) => {
    models.respond = (events) =>
      answered(
        events.map(({ event }) =>
          event.transaction === transaction
            ? { outcome: 'failed', fault: 'service', reason: 'the item is too hot' }
            : { outcome: 'applied' },
        ),
      );
  };

  /** Dispatches the records repeatedly for half an hour, as the stream redelivers them. Returns the last result. */
  const runForHalfAnHour = async (records: readonly StreamRecord[]) => {
    const { handedBack } = await run(records);
    expect(handedBack).not.toEqual([]);
    await clock.advance(0.5 * hours);
    return run(records);
  };

  it('is redelivered for two hours', async () => {
    refusing('X');
    const records = [record('A', 'a1'), record('X', 'x1', 'counter', 1.4 * hours)];
    expect((await runForHalfAnHour(records)).handedBack).toEqual(['x1']);
  });

  it('is parked with the reason after two hours if other instances make progress', async () => {
    refusing('X');
    const late = (id: string) => record('X', id, 'counter', 1.5 * hours);
    const records = [record('A', 'a1'), late('x1'), late('x2')];
    expect((await runForHalfAnHour(records)).handedBack).toEqual([]);
    const [first, second] = await parking.oldest({ model: 'counter', transaction: 'X' }, 2);
    expect(first).toMatchObject({ fault: true, reason: expect.stringContaining('too hot') });
    expect(second).toMatchObject({ fault: false });
  });

  it('is redelivered for twelve hours if no other event succeeds', async () => {
    refusing('X');
    const after = (age: number) => record('X', `x${age}`, 'counter', age * hours);
    expect((await runForHalfAnHour([after(11.4)])).handedBack).toEqual(['x11.4']);
    expect((await runForHalfAnHour([after(11.5)])).handedBack).toEqual([]);
  });

  describe("because Lambda rejects every invocation of its model's function", () => {
    let unavailable: readonly string[];
    beforeEach(() => {
      models.respond = (events, functionArn) =>
        unavailable.some((model) => functionArn.endsWith(`:${model}`))
          ? { kind: 'unavailable', reason: 'KMSDisabledException' }
          : answered(events.map(() => ({ outcome: 'applied' })));
    });
    const after = (age: number) => [
      record('A', `a${age}`, 'other'),
      record('X', `x${age}`, 'counter', age * hours),
    ];

    it('is parked after two hours if another model has made progress for half an hour', async () => {
      unavailable = ['counter'];
      expect((await runForHalfAnHour(after(1.4))).handedBack).toEqual(['x1.4']);
      expect((await runForHalfAnHour(after(1.5))).handedBack).toEqual([]);
      expect(await parked('X')).toEqual(['x1.5']);
    });

    it('is redelivered for half an hour after an outage of all models, because the outage may still be ending', async () => {
      const records = after(3);
      unavailable = [];
      await run([record('A', 'a0', 'other')]);
      unavailable = ['counter', 'other'];
      expect((await runForHalfAnHour(records)).handedBack).toEqual(['a3', 'x3']);
      unavailable = ['counter'];
      expect((await runForHalfAnHour(records)).handedBack).toEqual([]);
    });

    it('is redelivered for twelve hours if the other models receive no events', async () => {
      unavailable = ['counter'];
      await run([record('A', 'a0', 'other')]);
      const late = (age: number) => [record('X', `x${age}`, 'counter', age * hours)];
      expect((await runForHalfAnHour(late(11.4))).handedBack).toEqual(['x11.4']);
      expect((await runForHalfAnHour(late(11.5))).handedBack).toEqual([]);
    });
  });

  it.each([3, 13])(
    'is redelivered for half an hour after a backlog of %i hours, because the fault may be temporary',
    async (age) => {
      refusing('X');
      const records = [record('A', 'a1'), record('X', 'x1', 'counter', age * hours)];
      expect((await run(records)).handedBack).toEqual(['x1']);
      await clock.advance(0.4 * hours);
      expect((await run(records)).handedBack).toEqual(['x1']);
      await clock.advance(0.1 * hours);
      expect((await run(records)).handedBack).toEqual([]);
    },
  );

  it.each([outOfTimeReason, noTime])('is not parked if the reason is "%s"', async (reason) => {
    models.respond = (events) =>
      answered(
        events.map(({ event }) =>
          event.transaction === 'X'
            ? { outcome: 'failed', fault: 'service', reason }
            : { outcome: 'applied' },
        ),
      );
    const records = [record('A', 'a1'), record('X', 'x1', 'counter', 24 * hours)];
    expect((await runForHalfAnHour(records)).handedBack).toEqual(['x1']);
  });

  it('is not parked if the dispatcher ran out of time', async () => {
    hangingOn(() => true, 120);
    const records = Array.from({ length: 300 }, (_, n) =>
      record(`T${n}`, `e${n}`, 'counter', 24 * hours),
    );
    expect((await run(records)).handedBack).not.toEqual([]);
    const instances = records.map((_, n) => ({ model: 'counter', transaction: `T${n}` }));
    const kept = (await Promise.all(instances.map((each) => parking.oldest(each, 1)))).flat();
    expect(new Set(kept.map(({ reason }) => reason))).toEqual(new Set(['Task timed out']));
  });
});
