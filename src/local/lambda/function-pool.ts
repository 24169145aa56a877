import type { InvocationMessage } from './environment-protocol.ts';
import { ExecutionEnvironment, type Outcome } from './execution-environment.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { LineSplitter } from './invocation-log.ts';
import { LambdaApiError } from './lambda-api-error.ts';
import { initLimitMs } from './limits.ts';
import type { StatisticsRecorder } from './statistics.ts';

/** What a pool needs besides the function. */
export interface PoolOptions {
  runtimeEnvironment: Record<string, string>;
  maximumEnvironments: number;
  log?: (line: string) => void;
  statistics: StatisticsRecorder;
}

/**
 * The execution environments of one function: warm ones are used again, new
 * ones started up to a bound, and beyond it invocations wait in turn.
 */
export class FunctionPool {
  readonly definition: FunctionDefinition;
  readonly #options: PoolOptions;
  readonly #all = new Set<ExecutionEnvironment>();
  #idle: ExecutionEnvironment[] = [];
  readonly #waiting: PromiseWithResolvers<ExecutionEnvironment>[] = [];
  #inFlight = 0;
  #retired = false;
  #closed = false;

  constructor(definition: FunctionDefinition, options: PoolOptions) {
    this.definition = definition;
    this.#options = options;
  }

  /** How many environments are alive. */
  get size(): number {
    return [...this.#all].filter((environment) => environment.alive).length;
  }

  /** @throws {LambdaApiError} over the reserved concurrency, or when the pool is retired first. */
  async invoke(message: Omit<InvocationMessage, 'deadline'>): Promise<Outcome> {
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
        if (this.#closed) throw retiredError(this.definition);
        this.#options.statistics.invoked(environment, outcome);
        return outcome;
      } finally {
        this.#release(environment);
      }
    } finally {
      this.#inFlight--;
    }
  }

  /** Takes nothing further; what is running may end. */
  async retire(): Promise<void> {
    this.#retired = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(retiredError(this.definition));
    await Promise.all(this.#idle.splice(0).map((environment) => this.#discard(environment)));
  }

  /** Ends everything at once. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.retire();
    await Promise.all([...this.#all].map((environment) => this.#discard(environment)));
  }

  async #acquire(): Promise<ExecutionEnvironment> {
    if (this.#retired) throw retiredError(this.definition);
    // The one used last, so that the others may fall idle. A thread may have ended while idle.
    for (let environment = this.#idle.pop(); environment; environment = this.#idle.pop()) {
      if (environment.alive) return environment;
      this.#all.delete(environment);
    }
    if (this.#all.size < this.#options.maximumEnvironments) return this.#start();
    const waiting = Promise.withResolvers<ExecutionEnvironment>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  /** Takes an environment back; one that failed, or is no longer wanted, is ended. */
  #release(environment: ExecutionEnvironment): void {
    if (this.#retired || !environment.alive) void this.#discard(environment);
    if (this.#retired) return;
    const next = this.#waiting.shift();
    if (next !== undefined) next.resolve(environment.alive ? environment : this.#start());
    else if (environment.alive) this.#idle.push(environment);
  }

  #start(): ExecutionEnvironment {
    const { runtimeEnvironment, log } = this.#options;
    const lines = new LineSplitter((line) => log?.(line));
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
}

function retiredError({ name }: FunctionDefinition): LambdaApiError {
  return new LambdaApiError('ServiceException', `the function ${name} was taken away`);
}
