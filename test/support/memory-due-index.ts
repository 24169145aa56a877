import type {
  DueTimerIndex,
  InstanceTimers,
  Postponement,
} from '../../src/clock/due-timer-index.ts';
import type { InstanceKey } from '../../src/core/event/event.ts';
import type { SettledResult } from '../../src/stores/settled-result.ts';
import type { MemoryInstanceStore } from './memory-instance-store.ts';

/** What is due of what a store in memory holds, in two shards and small pages; it can be told to fail. */
export class MemoryDueIndex implements DueTimerIndex {
  readonly shards = ['even', 'odd'];
  /** Called before each step, with whom it is about; what it throws fails the step. */
  interfere: (step: 'due' | 'waiting' | 'postpone', about: string) => void = () => {};
  readonly #store: MemoryInstanceStore;
  readonly #postponed = new Map<string, { version: number; until: string }>();

  constructor(store: MemoryInstanceStore) {
    this.#store = store;
  }

  async *dueInstances(shard: string, by: string): AsyncGenerator<InstanceKey[]> {
    const due = [...this.#store.rows]
      .filter(([name]) => this.shards[name.length % 2] === shard)
      .map(([name, row]) => ({ instance: row, at: this.dueAt(name) }))
      .filter(({ at }) => at !== undefined && at <= by)
      .toSorted((a, b) => (a.at! < b.at! ? -1 : 1));
    for (let n = 0; n < due.length; n += 3) {
      this.interfere('due', shard);
      yield await Promise.resolve(
        due.slice(n, n + 3).map(({ instance: { model, transaction } }) => ({ model, transaction })),
      );
    }
  }

  /** When an instance is due for the index. */
  dueAt(name: string): string | undefined {
    const row = this.#store.rows.get(name);
    const postponed = this.#postponed.get(name);
    if (!row || row.dueAt === null) return undefined;
    return postponed?.version === row.version ? postponed.until : row.dueAt;
  }

  readTimers(
    instances: readonly InstanceKey[],
  ): Promise<SettledResult<InstanceTimers | undefined>[]> {
    return this.#each('waiting', instances, (instance) => {
      const row = this.#store.rows.get(nameOf(instance));
      if (!row) return undefined;
      const { version, parked } = row;
      const timers = this.#store.of(instance)[version - 1]?.timers ?? [];
      return { instance, version, hasParked: parked > 0, timers };
    });
  }

  postpone(postponed: readonly Postponement[]): Promise<SettledResult<void>[]> {
    const instances = postponed.map(({ instance }) => instance);
    return this.#each('postpone', instances, (instance, index) => {
      const { version, until } = postponed[index]!;
      const row = this.#store.rows.get(nameOf(instance));
      if (row?.version === version) this.#postponed.set(nameOf(instance), { version, until });
    });
  }

  async #each<Out>(
    step: 'waiting' | 'postpone',
    instances: readonly InstanceKey[],
    work: (instance: InstanceKey, index: number) => Out,
  ): Promise<SettledResult<Out>[]> {
    await Promise.resolve();
    return instances.map((instance, index) => {
      try {
        this.interfere(step, instance.transaction);
        return { value: work(instance, index) };
      } catch (error) {
        return { error };
      }
    });
  }
}

const nameOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;
