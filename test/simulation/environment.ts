import { withRetries } from '../../src/aws/client/transport/with-retries.ts';
import type { Chance } from '../../src/common/chance.ts';
import type { Clock } from '../../src/common/clock.ts';
import { type Network, never, type Request } from './network.ts';
import type { Service } from './outages.ts';
import type { Weather } from './weather.ts';

/** The state that all processes of a run share. */
export interface Surroundings {
  readonly chance: Chance;
  readonly weather: Weather;
  readonly network: Network;
  /** Whether functions and clients have timeouts, and functions are frozen between invocations. */
  readonly timed: boolean;
  readonly clock: Clock;
  /** Adds 1 to the total of `what` for this run. */
  readonly count: (what: string) => void;
  /** Writes a line to the trace of a run. */
  readonly trace: (line: string) => void;
}

/** The timeout of AWS clients in milliseconds, as in `json-service.ts`. The Lambda client has no timeout. */
const patience = 5_000;

/** The timeout of the API's function, in milliseconds. */
export const apiTimeout = 29_000;

/**
 * A simulated process: a Lambda execution environment. It affects other parts of a run only through `call`, and it can
 * crash at each call. After a crash, only its requests in flight take effect.
 */
export class Environment {
  readonly died: Promise<string>;
  /** The clock of the process, which is wrong by at most 3 seconds. */
  readonly clock: Clock;
  readonly #around: Surroundings;
  readonly #name: string;
  #alive = true;
  #blocked = false;
  #tellDeath: (reason: string) => void = () => undefined;
  /** Resolves when the environment is thawed. Undefined if it is not frozen. */
  #thawed: PromiseWithResolvers<void> | undefined;

  constructor(around: Surroundings, name: string) {
    const { chance, clock } = around;
    this.#around = around;
    this.#name = `${name}-${chance.whole(100, 999)}`;
    this.died = new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
    const skew = chance.whole(-3_000, 3_000);
    this.clock = {
      now: () => clock.now() + skew,
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        await this.#runs();
      },
    };
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** True if code that never returns blocks the process. */
  get blocked(): boolean {
    return this.#blocked;
  }

  die(reason: string): void {
    this.#around.count('processes that ended');
    this.#around.trace(`${this.#name} died: ${reason}`);
    this.#alive = false;
    this.#tellDeath(reason);
  }

  /** Blocks the process with code that never returns. Only a kill can end a blocked process. */
  block(): void {
    this.#around.count('processes that were blocked');
    this.#around.trace(`${this.#name} is blocked`);
    this.#blocked = true;
  }

  /** Suspends all code of the process until it is thawed. Requests in flight continue. */
  freeze(): void {
    this.#thawed = Promise.withResolvers();
  }

  thaw(): void {
    this.#thawed?.resolve();
    this.#thawed = undefined;
  }

  /**
   * Sends a request to a service outside of the process. The request can fail, with the probabilities in the run's
   * weather.
   */
  call<Value>(what: () => string, request: Request<Value>): Promise<Value> {
    if (!this.#around.timed) return this.#callOnce(what, () => request.effect(true));
    return withRetries(() => this.#attempt(what, request), this.clock);
  }

  async #attempt<Value>(what: () => string, request: Request<Value>): Promise<Value> {
    const { chance, clock, network, trace, weather } = this.#around;
    await this.#runs();
    const ill = chance.fraction();
    if (ill < weather.crash / 2) return this.#crash();
    trace(`${this.#name} ${what()}`);
    const given = new AbortController();
    const isAwaited = () => this.#alive && !given.signal.aborted;
    const answer = network.send(request, isAwaited).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const late = clock.sleep(patienceWith(request.service), given.signal).then(() => {
      const error = Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' });
      return { error };
    });
    const settled = await Promise.race([answer, late]);
    given.abort();
    await this.#runs();
    if (ill > 1 - weather.crash / 2) return this.#crash();
    if ('error' in settled) {
      this.#around.count('calls that failed');
      throw settled.error;
    }
    return settled.value;
  }

  async #callOnce<Value>(what: () => string, effect: () => Promise<Value>): Promise<Value> {
    const { trace, weather } = this.#around;
    await this.#takeTime();
    const ill = this.#around.chance.fraction();
    const { crash, refused, lost, repeated } = weather;
    if (ill < crash / 2) return this.#crash();
    if (ill < crash / 2 + refused) throw this.#trouble('throttled');
    trace(`${this.#name} ${what()}`);
    const value = await effect();
    if (!this.#alive) return never();
    if (ill > 1 - crash / 2) return this.#crash();
    if (ill > 1 - crash / 2 - lost) throw this.#trouble('no response in time');
    await this.#takeTime();
    if (ill > 1 - crash / 2 - lost - repeated) {
      this.#around.count('calls made twice');
      return effect();
    }
    return value;
  }

  async #takeTime(): Promise<void> {
    const { chance, clock, weather } = this.#around;
    if (chance.happens(weather.slow)) await clock.sleep(chance.whole(1, weather.longest));
    if (!this.#alive) await never();
  }

  /** Resolves when code in the process can run: immediately, unless the process is frozen, blocked, or dead. */
  async #runs(): Promise<void> {
    while (this.#thawed) {
      this.#around.count('work that an invocation left behind');
      await this.#thawed.promise;
    }
    if (!this.#alive || this.#blocked) await never();
  }

  #crash<Value>(): Promise<Value> {
    this.die('the process exited');
    return never();
  }

  #trouble(message: string): Error {
    this.#around.count(message);
    this.#around.trace(`${this.#name} ${message}`);
    return new Error(message);
  }
}

const patienceWith = (service: Service) => (service === 'lambda' ? 10 ** 9 : patience);
