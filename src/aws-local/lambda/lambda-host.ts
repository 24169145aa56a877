import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '../../common/clock.ts';
import { accountId } from '../account.ts';
import { AsyncInvocations, type AttemptResult } from './async-invocations.ts';
import type { InvocationMessage } from './environment/environment-protocol.ts';
import { type FunctionDefinition, versionOf } from './function-definition.ts';
import { type FunctionName, parseFunctionName } from './function-name.ts';
import { FunctionPool } from './function-pool.ts';
import type { InvokeRequest, InvokeResponse } from './invocation.ts';
import { invocationTypeOf, jsonOf, payloadText } from './invoke-request.ts';
import { LambdaApiError } from './lambda-api-error.ts';
import { type FunctionStatistics, StatisticsRecorder } from './statistics.ts';

export interface LambdaHostOptions {
  readonly functions: readonly FunctionDefinition[];
  /** Environment variables for all functions: `AWS_REGION`, credentials, `AWS_ENDPOINT_URL_*`. */
  readonly runtimeEnvironment: Readonly<Record<string, string>>;
  /** Receives each line of the functions' logs. Default: logs are discarded. */
  readonly log?: (line: string, functionName: string) => void;
  /** The maximum number of processes per function; more concurrent invocations wait. Default: 4. */
  readonly maximumEnvironments?: number;
  /**
   * The number of processes per function that start promptly: when an invocation has waited for 50 ms. Once there are
   * this many processes, another process starts only if the same invocation has been first in the queue for a second.
   * Default: one per processor, and at least 2.
   */
  readonly promptEnvironments?: number;
  /**
   * The clock for the waits between asynchronous attempts, the waits in the queue, and the expiry of idle environments.
   * Default: the system clock.
   */
  readonly clock?: Clock;
}

interface Registration {
  readonly pool: FunctionPool;
  /** The pools of published versions, by version number. */
  readonly versions: Map<string, FunctionPool>;
  readonly statistics: StatisticsRecorder;
}

const closeLimitMs = 2_000;

/**
 * Runs deployed functions on this machine, and implements Lambda's Invoke.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export class LambdaHost {
  readonly #options: LambdaHostOptions;
  readonly #functions = new Map<string, Registration>();
  /** The pools of removed or replaced functions, which may still have running invocations. */
  #leaving: FunctionPool[] = [];
  readonly #clock: Clock;
  readonly #asynchronous: AsyncInvocations;

  constructor(options: LambdaHostOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#asynchronous = new AsyncInvocations(this.#clock);
    for (const definition of options.functions) this.define(definition);
  }

  /**
   * Adds a function or replaces its definition. Running invocations finish in their environments, queued invocations
   * fail, and later invocations use new environments.
   */
  define(definition: FunctionDefinition): void {
    const before = this.#functions.get(definition.name);
    if (before) this.#retire(before.pool);
    const statistics = before?.statistics ?? new StatisticsRecorder();
    const pool = this.#poolOf(definition, statistics);
    this.#functions.set(definition.name, {
      pool,
      versions: before?.versions ?? new Map<string, FunctionPool>(),
      statistics,
    });
  }

  /**
   * Sets the published versions of a function, and removes all other versions. Each version runs in its own
   * environments, with the code and settings with which it was published.
   */
  defineVersions(name: string, definitions: readonly FunctionDefinition[]): void {
    const registration = this.#functions.get(name);
    if (!registration) throw new Error(`the function ${name} does not exist`);
    const { versions, statistics } = registration;
    const numbers = new Set(definitions.map((definition) => versionOf(definition)));
    for (const [number, pool] of versions)
      if (!numbers.has(number)) {
        this.#retire(pool);
        versions.delete(number);
      }
    for (const definition of definitions) {
      const number = versionOf(definition);
      if (!versions.has(number)) versions.set(number, this.#poolOf(definition, statistics));
    }
  }

  /** Removes a function and its versions. Running invocations finish, and queued invocations fail. */
  remove(name: string): void {
    const registration = this.#functions.get(name);
    if (registration) for (const pool of poolsOf(registration)) this.#retire(pool);
    this.#functions.delete(name);
  }

  /** Returns the definitions of all functions, without their published versions. */
  definitions(): FunctionDefinition[] {
    return [...this.#functions.values()].map(({ pool }) => pool.definition);
  }

  /** Implements Invoke. @throws {LambdaApiError} if the request is invalid or the function cannot be invoked. */
  async invoke(input: InvokeRequest): Promise<InvokeResponse> {
    const type = invocationTypeOf(input.invocationType);
    const text = payloadText(input.payload ?? '', type);
    const name = parseFunctionName(input.functionName, input.qualifier);
    const { pool, statistics } = this.#find(name);
    const requestId = randomUUID();
    if (type === 'DryRun') return { statusCode: 204, requestId, payload: '' };
    const { arn } = pool.definition;
    const message = {
      requestId,
      payload: jsonOf(text),
      invokedFunctionArn: name.qualifier === undefined ? arn : `${arn}:${name.qualifier}`,
    };
    if (type === 'Event') {
      void this.#asynchronous.deliver(
        () => this.#attempt(name, message),
        () => statistics.asyncEventDropped(),
      );
      return { statusCode: 202, requestId, payload: '' };
    }
    const outcome = await pool.invoke({ ...message, clientContext: input.clientContext });
    return {
      statusCode: 200,
      requestId,
      payload: outcome.payload,
      executedVersion: versionOf(pool.definition),
      functionError: outcome.failed ? 'Unhandled' : undefined,
      logResult: input.logTail ? outcome.log.base64() : undefined,
    };
  }

  /**
   * Waits until the function can be invoked without queuing. Callers take turns, and each must start its invocation
   * immediately when its turn comes. Also resolves if the function does not exist.
   */
  async waitForCapacity(functionName: string): Promise<void> {
    await this.#functions.get(functionName)?.pool.waitForCapacity();
  }

  /**
   * Starts an environment for a function in advance, unless the function already has one. Resolves when the function
   * has loaded or failed to load. Has no effect if the function does not exist.
   */
  async prestart(functionName: string): Promise<void> {
    await this.#functions.get(functionName)?.pool.prestart();
  }

  /**
   * Terminates the idle environments of the selected functions. Running invocations continue; later invocations start
   * new environments.
   */
  async terminateIdle(isSelected: (functionName: string) => boolean): Promise<void> {
    const selected = [...this.#functions].filter(([name]) => isSelected(name));
    const pools = selected.flatMap(([, registration]) => poolsOf(registration));
    await Promise.all(pools.map((pool) => pool.terminateIdle()));
  }

  /** Returns the statistics of each function since it was first defined, by function name. */
  statistics(): Record<string, FunctionStatistics> {
    return Object.fromEntries(
      [...this.#functions].map(([name, registration]) => [
        name,
        registration.statistics.snapshot(
          poolsOf(registration).reduce((sum, { size }) => sum + size, 0),
        ),
      ]),
    );
  }

  /**
   * Terminates all environments, including running invocations, and drops waiting asynchronous events. Resolves within
   * two seconds.
   */
  async close(): Promise<void> {
    this.#asynchronous.close();
    const pools = [...this.#functions.values()].flatMap(poolsOf).concat(this.#leaving);
    const late = new AbortController();
    await Promise.race([
      Promise.all(pools.map((pool) => pool.close())),
      sleep(closeLimitMs, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
  }

  #poolOf(definition: FunctionDefinition, statistics: StatisticsRecorder): FunctionPool {
    const {
      runtimeEnvironment,
      log,
      maximumEnvironments = 4,
      promptEnvironments = Math.max(2, availableParallelism()),
    } = this.#options;
    return new FunctionPool(definition, {
      runtimeEnvironment,
      maximumEnvironments,
      promptEnvironments,
      log: log && ((line) => log(line, definition.name)),
      statistics,
      clock: this.#clock,
    });
  }

  #retire(pool: FunctionPool): void {
    this.#leaving = this.#leaving.filter(({ size }) => size > 0).concat(pool);
    void pool.retire();
  }

  async #attempt(
    name: FunctionName,
    message: Omit<InvocationMessage, 'deadline'>,
  ): Promise<AttemptResult> {
    try {
      const outcome = await this.#find(name).pool.invoke(message);
      return outcome.failed ? 'function-error' : 'done';
    } catch (error) {
      if (!(error instanceof LambdaApiError)) throw error;
      // The function was removed after the event was accepted, so drop the event.
      return error.code === 'ResourceNotFoundException' ? 'done' : 'throttled';
    }
  }

  #find({ name, region, account, qualifier = versionOf({}) }: FunctionName) {
    const found = this.#functions.get(name);
    const [, , , itsRegion, itsAccount] =
      (found ?? this.#any())?.pool.definition.arn.split(':') ?? [];
    const pool = qualifier === versionOf({}) ? found?.pool : found?.versions.get(qualifier);
    if (
      found === undefined ||
      pool === undefined ||
      (region ?? itsRegion) !== itsRegion ||
      (account ?? itsAccount) !== itsAccount
    ) {
      const place = `${region ?? itsRegion ?? this.#options.runtimeEnvironment.AWS_REGION}:${account ?? itsAccount ?? accountId}`;
      throw new LambdaApiError(
        'ResourceNotFoundException',
        `Function not found: arn:aws:lambda:${place}:function:${name}:${qualifier}`,
      );
    }
    return { pool, statistics: found.statistics };
  }

  #any(): Registration | undefined {
    return this.#functions.values().next().value;
  }
}

const poolsOf = ({ pool, versions }: Registration) => [pool, ...versions.values()];
