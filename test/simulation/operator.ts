import { Chance } from '../../src/common/chance.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import type { Account } from './lambdas.ts';
import type { Producer } from './producer.ts';

/**
 * An operator who rebuilds instances. The operator draws separate random numbers, so that the other parts of a run do
 * not depend on them.
 */
export class Operator {
  readonly #account: Account;
  readonly #producer: Producer;
  readonly #chance: Chance;

  constructor(account: Account, producer: Producer, seed: number) {
    this.#account = account;
    this.#producer = producer;
    this.#chance = new Chance(seed + 7e9);
  }

  /** Requests rebuilds of instances, at random times within at most a minute. */
  async rebuildSome(): Promise<void> {
    for (let n = this.#chance.whole(0, 8); n > 0; n--) {
      await this.#account.clock.sleep(this.#chance.whole(0, 8_000));
      const items = this.#account.database.items('instances');
      const names = new Set(items.map(({ pk }) => pk!.S!).filter((name) => !name.startsWith('#')));
      if (names.size === 0) continue;
      this.#account.count('rebuilds of instances');
      const instance = instanceNamed(this.#chance.pick([...names]));
      this.#producer.rebuild(instance, this.#chance.happens(0.3));
    }
  }
}

/** Parses the partition key of an instance. */
export function instanceNamed(name: string): InstanceKey {
  const end = name.indexOf('#');
  return { model: name.slice(0, end), transaction: name.slice(end + 1) };
}
