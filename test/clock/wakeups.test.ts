import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SqsWakeups } from '../../src/aws/timers/sqs-wakeups.ts';
import { fireAt } from '../../src/clock/fire-at.ts';
import {
  type FireTimersDependencies,
  fireTimers,
  refireDelay,
} from '../../src/clock/fire-timers.ts';
import { lookAhead, scheduleWakeups } from '../../src/clock/schedule-wakeups.ts';
import { ExpiringSet } from '../../src/common/expiring-set.ts';
import { toIso } from '../../src/core/time/timestamp.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { type Delivery, MemoryQueue } from '../support/aws-in-memory/memory-queue.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { reminder } from '../support/models/reminder-model.ts';

const soon = 120_000;

/**
 * A timer that an instance starts: its start in milliseconds since the start of the test, and its delay in
 * milliseconds.
 */
interface PlannedTimer {
  readonly startedAt: number;
  readonly delay: number;
}

/** Simulates a tracker's clock with its queue, and a model's function that starts timers. */
class World {
  readonly clock = new ManualClock();
  readonly start = this.clock.now();
  readonly queue: MemoryQueue;
  readonly failures: string[] = [];
  /** When the events of each timer were put, by transaction, in milliseconds since the start. */
  readonly fired = new Map<string, number[]>();
  readonly #instances = new InstancesInMemory(this.clock);
  readonly #dependencies: FireTimersDependencies;
  readonly #ofModel = this.#newWakeups(soon);
  readonly #ofClock = this.#newWakeups(lookAhead);

  constructor(deliveries: () => Delivery = () => ({})) {
    this.queue = new MemoryQueue(this.clock, deliveries);
    const stream = new EventStreamInMemory();
    this.#dependencies = {
      index: this.#instances.dueTimers,
      stream: {
        put: async (records) => {
          await stream.put(records);
          for (const { partitionKey } of records) {
            const at = this.clock.now() - this.start;
            this.fired.set(partitionKey, [...(this.fired.get(partitionKey) ?? []), at]);
          }
        },
      },
      clock: this.clock,
      recentlyFired: new ExpiringSet(this.clock, refireDelay),
    };
    this.queue.receive = async (bodies) => {
      const times = bodies.map((body) => (JSON.parse(body) as { at: number }).at);
      await fireAt(this.#dependencies, times, Number.POSITIVE_INFINITY);
    };
  }

  /** Starts the timers, and runs the clock every minute for six minutes, except in the minutes in `skips`. */
  async run(timers: readonly PlannedTimer[], { firstRun = 0, skips = [] as number[] } = {}) {
    const steps = [
      ...timers.map(({ startedAt, delay }, n) => ({
        at: startedAt,
        act: () => this.#startTimer(`T${n}`, startedAt + delay),
      })),
      ...[0, 1, 2, 3, 4, 5, 6].flatMap((minute) =>
        skips.includes(minute)
          ? []
          : [{ at: firstRun + 60_000 * minute, act: () => this.#runClock() }],
      ),
    ].toSorted((a, b) => a.at - b.at);
    for (const { at, act } of steps) {
      await this.clock.advance(Math.max(0, this.start + at - this.clock.now()));
      void act();
      await this.clock.settle();
    }
    await this.clock.advance(1_000);
  }

  /** Makes the next read of the index of due timers fail after the clock has found the first timer to schedule. */
  failAfterFirstTimer(message: string): void {
    const { dueTimers } = this.#instances;
    const nextDue = dueTimers.nextDue.bind(dueTimers);
    let hasFound = false;
    dueTimers.nextDue = async (...parameters) => {
      if (hasFound) {
        dueTimers.nextDue = nextDue;
        throw new Error(message);
      }
      const dueAt = await nextDue(...parameters);
      hasFound = dueAt !== undefined;
      return dueAt;
    };
  }

  #newWakeups(within: number): SqsWakeups {
    return new SqsWakeups({
      client: { sendMessageBatch: (input) => this.queue.sendMessageBatch(input) },
      queueUrl: 'https://sqs/wakeups',
      clock: this.clock,
      within,
      logFailure: (reason) => this.failures.push(reason),
    });
  }

  async #runClock(): Promise<void> {
    const wakeups = this.#ofClock;
    const [, failure] = await Promise.all([
      fireTimers(this.#dependencies, Number.POSITIVE_INFINITY),
      scheduleWakeups({ ...this.#dependencies, wakeups }, Number.POSITIVE_INFINITY),
    ]);
    if (failure !== undefined) this.failures.push(failure);
  }

  async #startTimer(transaction: string, dueAt: number): Promise<void> {
    const data = { start: { a: toIso(this.start + dueAt) } };
    await transition(
      {
        model: reminder,
        store: this.#instances.store,
        stream: new EventStreamInMemory(),
        notifier: new NotifierInMemory(),
        clock: this.clock,
        wakeups: this.#ofModel,
      },
      [placed(1, { model: 'reminder', transaction, type: 'asked', data })],
    );
  }
}

const timers = fc.array(
  fc.record({
    startedAt: fc.integer({ min: 0, max: 150_000 }),
    delay: fc.integer({ min: 0, max: 200_000 }),
  }),
  { minLength: 1, maxLength: 12 },
);
const firstRun = fc.integer({ min: 0, max: 59_999 });

/** Returns how late each timer first fired, in milliseconds. */
const lateness = (world: World, planned: readonly PlannedTimer[]) =>
  planned.map(
    ({ startedAt, delay }, n) =>
      (world.fired.get(`T${n}`)?.[0] ?? Number.POSITIVE_INFINITY) - (startedAt + delay),
  );

/** The delay from the due time of a message to the run of the clock that it causes, in milliseconds. */
const latency = fc.record({ shift: fc.integer({ min: 0, max: 900 }) });

describe('a timer in a tracker whose clock has a queue', () => {
  it('never fires early or more than two seconds late, regardless of when it starts and when the clock runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        timers,
        firstRun,
        fc.infiniteStream(latency),
        async (planned, first, latencies) => {
          const world = new World(() => latencies.next().value as Delivery);
          await world.run(planned, { firstRun: first });
          for (const late of lateness(world, planned)) {
            expect(late).toBeGreaterThanOrEqual(0);
            expect(late).toBeLessThanOrEqual(2_000);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('fires when it is due, even if its message is a few seconds early', async () => {
    const world = new World(() => ({ shift: -4_000 }));
    const planned = [{ startedAt: 10_000, delay: 20_000 }];
    await world.run(planned, { firstRun: 1_000 });
    const [late] = lateness(world, planned);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThanOrEqual(1_000);
  });

  it('is scheduled by its model if it starts between two runs of the clock and is due before the second run', async () => {
    const world = new World();
    const planned = [{ startedAt: 10_000, delay: 7_300 }];
    await world.run(planned, { firstRun: 0 });
    expect(lateness(world, planned)[0]).toBeLessThan(1_000);
  });

  it('fires on time even if two consecutive runs of the clock fail', async () => {
    const world = new World();
    const planned = [{ startedAt: 0, delay: 170_000 }];
    await world.run(planned, { firstRun: 1_000, skips: [1, 2] });
    expect(lateness(world, planned)[0]).toBeLessThan(2_000);
  });

  it('never fires early or more than a minute late, even if its messages are lost, early, or repeated', async () => {
    const delivery = fc.record({
      lost: fc.boolean(),
      copies: fc.integer({ min: 1, max: 3 }),
      shift: fc.integer({ min: -20_000, max: 20_000 }),
      refused: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        timers,
        firstRun,
        fc.infiniteStream(delivery),
        async (planned, first, fates) => {
          const world = new World(() => fates.next().value as Delivery);
          await world.run(planned, { firstRun: first });
          for (const late of lateness(world, planned)) {
            expect(late).toBeGreaterThanOrEqual(0);
            expect(late).toBeLessThanOrEqual(60_000);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('fires on time even if the clock finds the timer but then fails to read the index of due timers, and the run returns the error', async () => {
    const world = new World();
    world.failAfterFirstTimer('throttled');
    const planned = [{ startedAt: 0, delay: 170_000 }];
    await world.run(planned, { firstRun: 1_000, skips: [1, 2] });
    expect(world.failures).toEqual(['throttled']);
    expect(lateness(world, planned)[0]).toBeLessThan(2_000);
  });

  it('fires in the next run of the clock if the queue does not respond', async () => {
    const world = new World(() => ({ mute: true }));
    await world.run([{ startedAt: 10_000, delay: 5_000 }], { firstRun: 0 });
    expect(world.failures).toContain('SQS did not respond within 500 ms');
    expect(world.fired.get('T0')?.[0]).toBeGreaterThanOrEqual(60_000);
  });
});

describe('the messages on the queue of the clock', () => {
  it('are shared by all timers that are due in the same second', async () => {
    const world = new World();
    const planned = Array.from({ length: 60 }, () => ({ startedAt: 0, delay: 100_000 }));
    await world.run(planned, { firstRun: 1_000 });
    expect(world.queue.sent).toBeLessThan(10);
    expect(Math.max(...lateness(world, planned))).toBeLessThan(2_000);
  });

  it('do not cover a timer that starts less than a second before they arrive, because the index of due timers may not contain that timer yet', async () => {
    const clock = new ManualClock();
    const queue = new MemoryQueue(clock, () => ({}));
    const wakeups = new SqsWakeups({
      client: queue,
      queueUrl: 'https://sqs/wakeups',
      clock,
      within: soon,
      logFailure: () => {},
    });
    const started = clock.now();
    await wakeups.schedule([started + 1_000]);
    await clock.advance(990);
    await wakeups.schedule([started + 995]);
    expect(queue.sent).toBe(2);
  });

  it('are not sent for timers that are due after the look-ahead', async () => {
    const world = new World();
    await world.run([{ startedAt: 0, delay: 3_600_000 }], { firstRun: 1_000 });
    expect(world.queue.sent).toBe(0);
  });
});
