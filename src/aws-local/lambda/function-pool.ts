import { setImmediate as nextRound } from 'node:timers/promises';
import { type Clock, timeLeft } from '../../common/clock.ts';
import type { InvocationMessage } from './environment/environment-protocol.ts';
import { ExecutionEnvironment, type InvocationOutcome } from './execution-environment.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { IdleEnvironments } from './idle-environments.ts';
import { LineSplitter } from './invocation-log.ts';
import { LambdaApiError } from './lambda-api-error.ts';
import {
  initLimitMs,
  maximumLogLineLength,
  maximumQueueWaitMs,
  promptQueueWaitMs,
} from './limits.ts';
import type { StatisticsRecorder } from './statistics.ts';

export interface PoolOptions {
  readonly runtimeEnvironment: Readonly<Record<string, string>>;
  readonly maximumEnvironments: number;
  readonly promptEnvironments: number;
  readonly log?: (line: string) => void;
  readonly statistics: StatisticsRecorder;
  readonly clock: Clock;
}

interface WaitingCaller {
  /** When the wait began, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * The execution environments of one function. Reuses idle environments, starts new environments up to a limit, and
 * queues invocations while all environments are busy.
 *
 * After the first environment, another environment starts only if the first invocation in the queue has waited for 50
 * ms. Once there are `promptEnvironments` environments, another environment starts only if the same invocation has been
 * first in the queue for a second, because the running invocations may then be hanging. Environments that are idle for
 * `maximumIdleMs` are terminated.
 */
export class FunctionPool {
  readonly definition: FunctionDefinition;
  readonly #options: PoolOptions;
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #idle: IdleEnvironments;
  readonly #waiting: (WaitingCaller & PromiseWithResolvers<ExecutionEnvironment>)[] = [];
  /** Resolves when all callers of `waitForCapacity` have had their turn. */
  #turns: Promise<void> = Promise.resolve();
  /** Resolved when an environment is free for the next caller of `waitForCapacity`. */
  #nextTurn: (WaitingCaller & PromiseWithResolvers<void>) | undefined;
  #starting = false;
  /** The wait after which an environment starts for the first caller. A shorter wait or `retire` cancels this wait. */
  #growth: { readonly endsAt: number; readonly canceled: AbortController } | undefined;
  #inFlight = 0;
  #retired = false;
  #closed = false;

  constructor(definition: FunctionDefinition, options: PoolOptions) {
    this.definition = definition;
    this.#options = options;
    this.#idle = new IdleEnvironments(options.clock, (environment) => this.#discard(environment));
  }

  /** The number of live environments. */
  get size(): number {
    return [...this.#all].filter((environment) => environment.isAlive).length;
  }

  /**
   * @throws {LambdaApiError} if the reserved concurrency is exceeded, if the pool is retired before the invocation
   * starts, or if the pool is closed before the invocation ends.
   */
  async invoke(message: Omit<InvocationMessage, 'deadline'>): Promise<InvocationOutcome> {
    const { reservedConcurrency = Number.POSITIVE_INFINITY } = this.definition;
    if (this.#inFlight >= reservedConcurrency) {
      this.#options.statistics.throttled();
      throw new LambdaApiError(
        'TooManyRequestsException',
        'Rate Exceeded.',
        'ReservedFunctionConcurrentInvocationLimitExceeded',
      );
    }
    this.#inFlight++;
    try {
      const environment = await this.#acquire();
      try {
        const outcome = await environment.invoke(message);
        if (this.#closed) throw this.#unavailable();
        this.#options.statistics.invoked(environment, outcome);
        return outcome;
      } finally {
        this.#release(environment);
      }
    } finally {
      this.#inFlight--;
    }
  }

  /**
   * Resolves when an environment is free. Callers take turns, and each must start an invocation immediately. Also
   * resolves when the pool is retired.
   */
  waitForCapacity(): Promise<void> {
    const turn = this.#turns.then(() => this.#free());
    // Wait for one round of the event loop so that the current caller acquires the environment first.
    this.#turns = turn.then(() => nextRound());
    return turn;
  }

  /**
   * Starts an environment in advance, unless the pool already has one. AWS also starts environments in advance to avoid
   * cold starts. Resolves when the function has loaded or failed to load; the first invocation reports a failure.
   *
   * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#proactive-initialization
   */
  async prestart(): Promise<void> {
    if (this.#retired || this.size > 0) return;
    await this.#add().initialized;
  }

  /** Terminates the idle environments. Running invocations continue, and later invocations start new environments. */
  async terminateIdle(): Promise<void> {
    await Promise.all(this.#idle.takeAll().map((environment) => this.#discard(environment)));
  }

  /** Rejects new and waiting invocations. Running invocations may finish. */
  async retire(): Promise<void> {
    this.#retired = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#unavailable());
    this.#giveTurn();
    this.#growth?.canceled.abort();
    await this.terminateIdle();
  }

  /** Retires the pool and terminates all environments immediately. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.retire();
    await Promise.all([...this.#all].map((environment) => this.#discard(environment)));
  }

  async #free(): Promise<void> {
    if (this.#retired || !this.#idle.isEmpty) return;
    this.#nextTurn = { ...Promise.withResolvers<void>(), since: this.#options.clock.now() };
    this.#grow();
    await this.#nextTurn.promise;
  }

  #giveTurn(): void {
    this.#nextTurn?.resolve();
    this.#nextTurn = undefined;
  }

  async #acquire(): Promise<ExecutionEnvironment> {
    if (this.#retired) throw this.#unavailable();
    for (let idle = this.#idle.take(); idle !== undefined; idle = this.#idle.take()) {
      if (idle.isAlive) return idle;
      this.#all.delete(idle);
    }
    const since = this.#options.clock.now();
    const waiting = { ...Promise.withResolvers<ExecutionEnvironment>(), since };
    this.#waiting.push(waiting);
    this.#grow();
    return waiting.promise;
  }

  /**
   * Starts an environment for waiting callers, unless an environment is already starting. Environments start one at a
   * time, and only after the first caller has waited: a start competes with running environments for processors, and
   * often a running environment becomes free first.
   *
   * @param unchanged the caller that was first when the latest wait began.
   */
  #grow(unchanged?: WaitingCaller): void {
    const { maximumEnvironments, promptEnvironments, clock } = this.#options;
    const { size } = this.#all;
    const first = this.#first;
    if (this.#starting || !first || size >= maximumEnvironments) return;
    if (size === 0) return void this.#add();
    // Once there are `promptEnvironments` environments, a long queue alone does not justify another environment, which
    // would only compete for processors. A queue whose first caller stays the same justifies another environment,
    // because the running invocations may not end.
    const queueWaitMs = first === unchanged ? 0 : maximumQueueWaitMs;
    const waitMs =
      size < promptEnvironments ? timeLeft(clock, first.since, promptQueueWaitMs) : queueWaitMs;
    if (waitMs === 0) this.#add();
    else void this.#growAfter(waitMs);
  }

  /** The caller that has waited longest. */
  get #first(): WaitingCaller | undefined {
    const [invocation] = this.#waiting;
    const turn = this.#nextTurn;
    return invocation && turn && turn.since < invocation.since ? turn : (invocation ?? turn);
  }

  async #growAfter(waitMs: number): Promise<void> {
    const { clock } = this.#options;
    const endsAt = clock.now() + waitMs;
    if (this.#growth !== undefined && this.#growth.endsAt <= endsAt) return;
    this.#growth?.canceled.abort();
    const canceled = new AbortController();
    this.#growth = { endsAt, canceled };
    const first = this.#first;
    await clock.sleep(waitMs, canceled.signal);
    if (canceled.signal.aborted) return;
    this.#growth = undefined;
    this.#grow(first);
  }

  #add(): ExecutionEnvironment {
    this.#starting = true;
    const environment = this.#start();
    void environment.initialized.then(() => {
      this.#starting = false;
      this.#assign(environment);
      this.#grow();
    });
    return environment;
  }

  /** Returns an environment to the pool, or terminates it if it failed or the pool is retired. */
  #release(environment: ExecutionEnvironment): void {
    if (environment.isAlive && !this.#retired) this.#assign(environment);
    else void this.#discard(environment);
    if (!this.#retired) this.#grow();
  }

  /** Passes an environment to the caller that has waited longest, or keeps the environment idle. */
  #assign(environment: ExecutionEnvironment): void {
    const next = this.#waiting.shift();
    if (next !== undefined) next.resolve(environment);
    else if (this.#retired) void this.#discard(environment);
    else {
      void this.#idle.keep(environment);
      this.#giveTurn();
    }
  }

  #start(): ExecutionEnvironment {
    const { runtimeEnvironment, log } = this.#options;
    // Discard the output of environments that are terminated because the pool is closed.
    const lines = new LineSplitter((line) => {
      if (!this.#closed) log?.(line);
    }, maximumLogLineLength);
    const environment = new ExecutionEnvironment(
      this.definition,
      runtimeEnvironment,
      (text) => lines.write(text),
      initLimitMs,
    );
    this.#all.add(environment);
    return environment;
  }

  async #discard(environment: ExecutionEnvironment): Promise<void> {
    this.#all.delete(environment);
    await environment.terminate();
  }

  /** The error for invocations that a retired or closed pool does not run. */
  #unavailable(): LambdaApiError {
    const reason = this.#closed
      ? 'Lambda is stopping'
      : `the function ${this.definition.name} was replaced or removed`;
    return new LambdaApiError('ServiceException', reason);
  }
}
