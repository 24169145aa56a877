import { DynamoDbDueTimerIndex } from '../../src/aws/lists/dynamodb-due-timer-index.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import { SqsWakeups } from '../../src/aws/timers/sqs-wakeups.ts';
import { fireAt } from '../../src/clock/fire-at.ts';
import {
  type FireTimersDependencies,
  fireTimers,
  refireDelay,
} from '../../src/clock/fire-timers.ts';
import { lookAhead, scheduleWakeups } from '../../src/clock/schedule-wakeups.ts';
import { ExpiringSet } from '../../src/common/expiring-set.ts';
import type { Wakeups } from '../../src/stores/wakeups.ts';
import { SignedStream } from '../../src/stream/signing/signed-stream.ts';
import { type Delivery, MemoryQueue } from '../support/aws-in-memory/memory-queue.ts';
import { dynamoDbClientOf } from './dynamodb-client.ts';
import type { Environment } from './environment.ts';
import { clockTimeout, clockTimeToEnd } from './function-times.ts';
import { type Context, Lambda } from './lambda.ts';
import type { Account } from './lambdas.ts';
import { macsIn } from './macs.ts';
import { kinesisClientOf } from './outlets.ts';

/**
 * The schedule that invokes the clock function, and the queue of wake-ups, which invokes another function. Both
 * functions fire timers, and their invocations can overlap.
 */
export class Timekeeper {
  readonly #account: Account;
  readonly #function: Lambda<number, unknown>;
  readonly #wakeup: Lambda<readonly number[], unknown>;
  readonly #queue: MemoryQueue;

  constructor(account: Account) {
    this.#account = account;
    this.#function = new Lambda(account, {
      name: 'clock',
      timeout: clockTimeout,
      start: (environment) => this.#start(environment),
    });
    this.#wakeup = new Lambda(account, {
      name: 'wakeup',
      timeout: clockTimeout,
      start: (environment) => this.#startWakeup(environment),
    });
    this.#queue = new MemoryQueue(account.clock, () => this.#drawDelivery());
    this.#queue.receive = async (bodies) => {
      account.count('messages that woke the clock');
      await this.#wakeup.invoke(bodies.map((body) => (JSON.parse(body) as { at: number }).at));
    };
  }

  /** Invokes the clock function periodically. Never resolves. */
  async run(): Promise<never> {
    const { chance, clock, count, nuisance } = this.#account;
    // If an instance causes problems for others, run the clock only once a minute, because no timers are due.
    const period = nuisance ? 60_000 : chance.pick([1_000, 5_000, 20_000]);
    for (;;) {
      await clock.sleep(period);
      count('runs of the clock');
      void this.#function.invoke(chance.pick([0, 5_000, 60_000]));
    }
  }

  /** The invocations in progress. */
  get running(): ReadonlySet<Promise<unknown>> {
    return new Set([...this.#function.running, ...this.#wakeup.running]);
  }

  /** Returns the client that a process uses to schedule wake-ups; undefined in a run without a queue. */
  wakeupsOf(environment: Environment, within: number): Wakeups | undefined {
    if (!this.#account.queue) return undefined;
    return new SqsWakeups({
      client: {
        sendMessageBatch: (input) =>
          environment.call(() => 'SendMessageBatch', {
            service: 'sqs',
            effect: () => this.#queue.sendMessageBatch(input),
          }),
      },
      queueUrl: 'wakeups',
      clock: environment.clock,
      within,
      logFailure: () => this.#account.count('messages that were not sent in time'),
    });
  }

  #drawDelivery(): Delivery {
    const { chance } = this.#account;
    return {
      lost: chance.happens(0.2),
      refused: chance.happens(0.1),
      copies: chance.pick([1, 1, 2, 3]),
      shift: chance.pick([0, 0, chance.whole(-60_000, 60_000)]),
    };
  }

  #start(environment: Environment) {
    const { sabotage } = this.#account;
    const { clock } = environment;
    const intact = this.#dependenciesOf(environment);
    const used = sabotage.clock?.(intact) ?? intact;
    const wakeups = this.wakeupsOf(environment, lookAhead);
    return async (time: number, context: Context) => {
      const left = context.getRemainingTimeInMillis() - clockTimeToEnd;
      const deadline = clock.now() + Math.min(time, left);
      await Promise.all([
        fireTimers(used, deadline),
        wakeups && scheduleWakeups({ ...used, wakeups }, deadline),
      ]);
    };
  }

  #startWakeup(environment: Environment) {
    const { sabotage } = this.#account;
    const intact = this.#dependenciesOf(environment);
    const used = sabotage.wakeup?.(intact) ?? intact;
    return (times: readonly number[], context: Context) => {
      const left = context.getRemainingTimeInMillis() - clockTimeToEnd;
      return fireAt(used, times, environment.clock.now() + left);
    };
  }

  #dependenciesOf(environment: Environment): FireTimersDependencies {
    const { clock } = environment;
    return {
      index: new DynamoDbDueTimerIndex(
        dynamoDbClientOf(this.#account, environment),
        'instances',
        clock,
      ),
      stream: new SignedStream(
        new KinesisEventStream(
          kinesisClientOf(this.#account, environment, 'clock'),
          'events',
          clock,
        ),
        macsIn(this.#account, environment),
      ),
      clock,
      recentlyFired: new ExpiringSet(clock, refireDelay),
    };
  }
}
