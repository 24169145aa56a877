import { DynamoDbDueTimerIndex } from '../../src/aws/lists/dynamodb-due-timer-index.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import {
  type FireTimersDependencies,
  fireTimers,
  refireDelay,
} from '../../src/clock/fire-timers.ts';
import { ExpiringSet } from '../../src/common/expiring-set.ts';
import { SignedStream } from '../../src/stream/signing/signed-stream.ts';
import { dynamoDbClientOf } from './dynamodb-client.ts';
import type { Environment } from './environment.ts';
import { clockTimeout, clockTimeToEnd } from './function-times.ts';
import { type Context, Lambda } from './lambda.ts';
import type { Account } from './lambdas.ts';
import { macsIn } from './macs.ts';
import { kinesisClientOf } from './outlets.ts';

/** The schedule of the clock function, which fires timers. Its invocations can overlap. */
export class Timekeeper {
  readonly #account: Account;
  readonly #function: Lambda<number, unknown>;

  constructor(account: Account) {
    this.#account = account;
    this.#function = new Lambda(account, {
      name: 'clock',
      timeout: clockTimeout,
      start: (environment) => this.#start(environment),
    });
  }

  /** Invokes the clock function periodically. Never resolves. */
  async run(): Promise<never> {
    const { chance, clock, count, nuisance } = this.#account;
    // In a run with a nuisance, no timers are due.
    const period = nuisance ? 60_000 : chance.pick([1_000, 5_000, 20_000]);
    for (;;) {
      await clock.sleep(period);
      count('runs of the clock');
      void this.#function.invoke(chance.pick([0, 5_000, 60_000]));
    }
  }

  /** The invocations in progress. */
  get running(): ReadonlySet<Promise<unknown>> {
    return this.#function.running;
  }

  #start(environment: Environment) {
    const { sabotage } = this.#account;
    const { clock } = environment;
    const intact: FireTimersDependencies = {
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
    const used = sabotage.clock?.(intact) ?? intact;
    return (time: number, context: Context) => {
      const left = context.getRemainingTimeInMillis() - clockTimeToEnd;
      return fireTimers(used, clock.now() + Math.min(time, left));
    };
  }
}
