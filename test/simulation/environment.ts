import type { Clock } from '../../src/core/clock.ts';
import type { Chance } from './chance.ts';
import type { Weather } from './weather.ts';

/** What no one will ever settle: what a dead process waits for. */
export const never = <Value>(): Promise<Value> => new Promise(() => undefined);

/** What every process of a run shares. */
export interface Surroundings {
  readonly chance: Chance;
  readonly weather: Weather;
  readonly clock: Clock;
  /** How often each thing happened, for the totals. */
  readonly count: (what: string) => void;
  /** Told of every call, for whoever wants to follow a run. */
  readonly trace: (line: string) => void;
}

/**
 * A process: a Lambda's execution environment. Whatever it does outside of itself is a `call`, and
 * at each of them it may die. From then on nothing that it does has any effect.
 */
export class Environment {
  readonly died: Promise<string>;
  /** Its own clock, which goes a little wrong. */
  readonly clock: Clock;
  readonly #around: Surroundings;
  readonly #name: string;
  #alive = true;
  #tellDeath: (reason: string) => void = () => undefined;

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
        if (!this.#alive) await never();
      },
    };
  }

  get alive(): boolean {
    return this.#alive;
  }

  die(reason: string): void {
    this.#around.count('processes that died');
    this.#around.trace(`${this.#name} died: ${reason}`);
    this.#alive = false;
    this.#tellDeath(reason);
  }

  /** Does something outside of the process, if the weather lets it. */
  async call<Value>(what: () => string, effect: () => Promise<Value>): Promise<Value> {
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
    if (ill > 1 - crash / 2 - lost) throw this.#trouble('no answer in time');
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
