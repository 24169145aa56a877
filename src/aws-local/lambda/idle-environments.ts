import type { Clock } from '../../common/clock.ts';
import type { ExecutionEnvironment } from './execution-environment.ts';
import { maximumIdleMs } from './limits.ts';

interface IdleEnvironment {
  readonly environment: ExecutionEnvironment;
  readonly taken: AbortController;
}

/** The idle execution environments of a pool. An environment expires if it is not used for `maximumIdleMs`. */
export class IdleEnvironments {
  readonly #clock: Clock;
  readonly #expire: (environment: ExecutionEnvironment) => Promise<void>;
  #idle: IdleEnvironment[] = [];

  /** @param expire terminates an expired environment. */
  constructor(clock: Clock, expire: (environment: ExecutionEnvironment) => Promise<void>) {
    this.#clock = clock;
    this.#expire = expire;
  }

  get isEmpty(): boolean {
    return this.#idle.length === 0;
  }

  /** Keeps an environment for the next invocation, for a limited time. */
  async keep(environment: ExecutionEnvironment): Promise<void> {
    const idle = { environment, taken: new AbortController() };
    this.#idle.push(idle);
    await this.#clock.sleep(maximumIdleMs, idle.taken.signal);
    if (idle.taken.signal.aborted) return;
    this.#idle = this.#idle.filter((other) => other !== idle);
    await this.#expire(environment);
  }

  /**
   * Removes and returns the most recently used environment so that the other environments can expire. The environment
   * may have exited while it was idle.
   */
  take(): ExecutionEnvironment | undefined {
    const idle = this.#idle.pop();
    idle?.taken.abort();
    return idle?.environment;
  }

  takeAll(): readonly ExecutionEnvironment[] {
    const all = this.#idle.splice(0);
    for (const { taken } of all) taken.abort();
    return all.map(({ environment }) => environment);
  }
}
