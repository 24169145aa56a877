import {
  type Commit,
  type CommitSummary,
  type Head,
  headOf,
  type StreamPosition,
  summaryOf,
} from '../../src/core/commit.ts';
import type { InstanceKey } from '../../src/core/event.ts';
import { type StatusRow, statusRow } from '../../src/core/status-row.ts';
import type {
  HistoryRewriter,
  InstanceStore,
  Newest,
  ParkedEvent,
  ParkingStore,
  QueueChange,
  Recent,
  RewrittenPage,
  Settled,
} from '../../src/service/ports.ts';

/** An instance store in memory, with its parked events, which can be told to fail. */
export class MemoryInstanceStore implements InstanceStore, ParkingStore, HistoryRewriter {
  readonly parked = new Map<string, ParkedEvent[]>();
  readonly commits = new Map<string, Commit[]>();
  readonly rows = new Map<string, StatusRow>();
  readonly announced = new Set<string>();
  /** The commit of an instance that `recent` tells of. */
  known = (key: InstanceKey): Commit | undefined => this.of(key).at(-1);
  /** Called before each step, with its name; what it throws fails the step for that instance. */
  interfere: (step: 'recent' | 'newest' | 'commit' | 'writeStatus', key: InstanceKey) => void =
    () => {};
  /** How many commits are rewritten with one call. */
  rewrittenAtOnce = Number.POSITIVE_INFINITY;
  /** How many commits were read one by one from the history. */
  historyReads = 0;

  of({ model, transaction }: InstanceKey): Commit[] {
    return this.commits.get(`${model}#${transaction}`) ?? [];
  }

  newest(keys: readonly InstanceKey[]): Promise<Settled<Newest>[]> {
    return this.#each('newest', keys, (key) => ({
      commit: this.of(key).at(-1),
      hasParked: this.#queue(key).length > 0,
    }));
  }

  /** What is known, if anything is told to be, else what is so. */
  recent(keys: readonly InstanceKey[]): Promise<Settled<Recent>[]> {
    return this.#each('recent', keys, (key) => {
      const commit = this.known(key);
      return {
        head: commit && headOf(commit),
        mayHaveParked: this.#queue(key).length > 0 || this.announced.has(nameOf(key)),
      };
    });
  }

  announce(instance: InstanceKey): Promise<void> {
    this.announced.add(nameOf(instance));
    return Promise.resolve();
  }

  park(parked: ParkedEvent): Promise<void> {
    const place = ({ position }: ParkedEvent) =>
      `${position.shard}#${position.sequence.padStart(60, '0')}`;
    const others = this.#queue(parked.event).filter((each) => place(each) !== place(parked));
    const queue = [...others, parked].toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    this.parked.set(nameOf(parked.event), queue);
    return Promise.resolve();
  }

  async replace(parked: ParkedEvent): Promise<void> {
    if (await this.has(parked.event, parked.position)) await this.park(parked);
  }

  has(instance: InstanceKey, { shard, sequence }: StreamPosition): Promise<boolean> {
    const isIt = ({ position }: ParkedEvent) =>
      position.shard === shard && position.sequence === sequence;
    return Promise.resolve(this.#queue(instance).some(isIt));
  }

  oldest(instance: InstanceKey, limit: number): Promise<ParkedEvent[]> {
    return Promise.resolve(this.#queue(instance).slice(0, limit));
  }

  count(instance: InstanceKey): Promise<number> {
    return Promise.resolve(this.#queue(instance).length);
  }

  remove(instance: InstanceKey, position: StreamPosition): Promise<void> {
    const left = this.#queue(instance).filter(
      (each) =>
        each.position.shard !== position.shard || each.position.sequence !== position.sequence,
    );
    this.parked.set(nameOf(instance), left);
    return Promise.resolve();
  }

  writeCount(instance: InstanceKey, { leaving = 0, parked: by }: QueueChange = {}): Promise<void> {
    if (by !== undefined) this.announced.delete(nameOf(instance));
    const row = this.rows.get(nameOf(instance));
    const parked = Math.max(0, this.#queue(instance).length - leaving);
    if (row) this.rows.set(nameOf(instance), { ...row, parked });
    return Promise.resolve();
  }

  #queue(instance: InstanceKey): ParkedEvent[] {
    return this.parked.get(nameOf(instance)) ?? [];
  }

  commit(commits: readonly Commit[]): Promise<Settled<'committed' | 'conflict'>[]> {
    return this.#each('commit', commits, (commit) => {
      const history = this.of(commit);
      if (history.length >= commit.version) return 'conflict';
      this.commits.set(`${commit.model}#${commit.transaction}`, [...history, commit]);
      return 'committed';
    });
  }

  writeStatus(commits: readonly Head[]): Promise<Settled<void>[]> {
    return this.#each('writeStatus', commits, (commit) => {
      const name = `${commit.model}#${commit.transaction}`;
      if ((this.rows.get(name)?.version ?? 0) < commit.version)
        this.rows.set(name, statusRow(commit, this.#queue(commit).length));
    });
  }

  asOf(key: InstanceKey, at: string): Promise<Commit | undefined> {
    return Promise.resolve(this.of(key).findLast((commit) => commit.at <= at));
  }

  async *before(key: InstanceKey, version: number): AsyncGenerator<Commit> {
    for (const commit of this.of(key)
      .slice(0, version - 1)
      .toReversed()) {
      this.historyReads++;
      yield await Promise.resolve(commit);
    }
  }

  async *summariesBefore(key: InstanceKey, version: number): AsyncGenerator<CommitSummary> {
    for await (const commit of this.before(key, version)) yield summaryOf(commit);
  }

  from(key: InstanceKey, version: number, limit: number) {
    const commits = this.of(key).slice(version - 1);
    return Promise.resolve({ commits: commits.slice(0, limit), more: commits.length > limit });
  }

  rewrite(
    instance: InstanceKey,
    from: number,
    change: (stored: Commit) => Commit | undefined,
  ): Promise<RewrittenPage> {
    const history = this.of(instance);
    const page = history.slice(from - 1, from - 1 + this.rewrittenAtOnce);
    const changed = page.map((stored) => change(stored));
    const after = page.map((stored, index) => changed[index] ?? stored);
    this.commits.set(nameOf(instance), history.toSpliced(from - 1, page.length, ...after));
    const next = from + page.length;
    const rewritten = changed.filter((commit) => commit !== undefined).length;
    return Promise.resolve(next > history.length ? { rewritten } : { rewritten, next });
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

const nameOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;
