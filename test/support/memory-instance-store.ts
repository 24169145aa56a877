import type { Commit } from '../../src/core/commit.ts';
import type { InstanceKey } from '../../src/core/event.ts';
import { type StatusRow, statusRow } from '../../src/core/status-row.ts';
import type { InstanceStore, Settled } from '../../src/service/ports.ts';

/** An instance store in memory, which can be told to fail. */
export class MemoryInstanceStore implements InstanceStore {
  readonly commits = new Map<string, Commit[]>();
  readonly rows = new Map<string, StatusRow>();
  /** Called before each step, with its name; what it throws fails the step for that instance. */
  interfere: (step: 'newest' | 'commit' | 'writeStatus', key: InstanceKey) => void = () => {};
  /** How many commits were read one by one from the history. */
  historyReads = 0;

  of({ model, transaction }: InstanceKey): Commit[] {
    return this.commits.get(`${model}#${transaction}`) ?? [];
  }

  newest(keys: readonly InstanceKey[]): Promise<Settled<Commit | undefined>[]> {
    return this.#each('newest', keys, (key) => this.of(key).at(-1));
  }

  commit(commits: readonly Commit[]): Promise<Settled<'committed' | 'conflict'>[]> {
    return this.#each('commit', commits, (commit) => {
      const history = this.of(commit);
      if (history.length >= commit.version) return 'conflict';
      this.commits.set(`${commit.model}#${commit.transaction}`, [...history, commit]);
      return 'committed';
    });
  }

  writeStatus(commits: readonly Commit[]): Promise<Settled<void>[]> {
    return this.#each('writeStatus', commits, (commit) => {
      const name = `${commit.model}#${commit.transaction}`;
      if ((this.rows.get(name)?.version ?? 0) < commit.version)
        this.rows.set(name, statusRow(commit));
    });
  }

  async *before(key: InstanceKey, version: number): AsyncGenerator<Commit> {
    for (const commit of this.of(key)
      .slice(0, version - 1)
      .toReversed()) {
      this.historyReads++;
      yield await Promise.resolve(commit);
    }
  }

  from(key: InstanceKey, version: number, limit: number) {
    const commits = this.of(key).slice(version - 1);
    return Promise.resolve({ commits: commits.slice(0, limit), more: commits.length > limit });
  }

  async #each<In extends InstanceKey, Out>(
    step: Parameters<MemoryInstanceStore['interfere']>[0],
    inputs: readonly In[],
    work: (input: In) => Out,
  ): Promise<Settled<Out>[]> {
    await Promise.resolve();
    return inputs.map((input) => {
      try {
        this.interfere(step, input);
        return { value: work(input) };
      } catch (error) {
        return { error };
      }
    });
  }
}
