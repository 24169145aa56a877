import type { InstanceKey } from '../../src/core/event/event.ts';
import {
  type Commit,
  type CommitSummary,
  type Head,
  headOf,
  type StreamPosition,
  summaryOf,
} from '../../src/core/history/commit.ts';
import { sortableSequence } from '../../src/core/history/sequence.ts';
import { type StatusRow, statusRow } from '../../src/core/status/status-row.ts';
import type {
  HistoryRewriter,
  RewrittenPage,
} from '../../src/model-runtime/sealing/history-rewriter.ts';
import type {
  ParkedEvent,
  ParkingStore,
  QueueChange,
  QueueSummary,
} from '../../src/parking/parking-store.ts';
import type {
  ConsistentRead,
  FlushedVersions,
  InstanceStore,
  OptimisticRead,
  SeenLookup,
} from '../../src/stores/instance-store.ts';
import type { SettledResult } from '../../src/stores/settled-result.ts';

/** An instance store in memory, with its parked events, which can be told to fail. */
export class MemoryInstanceStore implements InstanceStore, ParkingStore, HistoryRewriter {
  readonly parked = new Map<string, ParkedEvent[]>();
  readonly commits = new Map<string, Commit[]>();
  readonly rows = new Map<string, StatusRow>();
  readonly #summaries = new Map<
    string,
    { version: number; summary: QueueSummary; readonly announced: Set<string> }
  >();
  /** The commit of an instance that `recent` tells of. */
  known = (key: InstanceKey): Commit | undefined => this.of(key).at(-1);
  /** Called before each step, with its name; what it throws fails the step for that instance. */
  interfere: (step: 'recent' | 'newest' | 'commit' | 'writeStatus', key: InstanceKey) => void =
    () => {};
  /** How many commits are rewritten with one call. */
  rewrittenAtOnce = Number.POSITIVE_INFINITY;
  /** Called before each step of parking, with its name; it may wait, and what it throws fails the step. */
  interfereParking: (step: ParkingStep, instance: InstanceKey) => Promise<void> = () =>
    Promise.resolve();
  /** How many commits were read one by one from the history. */
  historyReads = 0;

  of({ model, transaction }: InstanceKey): Commit[] {
    return this.commits.get(`${model}#${transaction}`) ?? [];
  }

  readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]> {
    return this.#each('newest', keys, (key) => ({
      commit: this.of(key).at(-1),
      hasParked: this.#queue(key).length > 0,
    }));
  }

  /** What is known, if anything is told to be, else what is so. */
  readOptimistic(keys: readonly InstanceKey[]): Promise<SettledResult<OptimisticRead>[]> {
    return this.#each('recent', keys, (key) => {
      const commit = this.known(key);
      return {
        head: commit && headOf(commit),
        mayHaveParked: this.#queue(key).length > 0 || this.#summaryOf(key).announced.size > 0,
      };
    });
  }

  async begin(instance: InstanceKey, cause: StreamPosition): Promise<QueueChange> {
    await this.interfereParking('begin', instance);
    const queue = this.#summaryOf(instance);
    const name = `${cause.shard}/${cause.sequence}`;
    const before = queue.announced.size > 0 ? undefined : queue.summary;
    queue.announced.add(name);
    return { instance, name, version: ++queue.version, before };
  }

  async park(
    parked: readonly ParkedEvent[],
  ): Promise<SettledResult<'parked' | 'already parked'>[]> {
    const [first] = parked;
    if (!first) return [];
    await this.interfereParking('park', first.event);
    return parked.map((each) => {
      const queue = this.#queue(each.event);
      if (queue.some((other) => placeOf(other) === placeOf(each)))
        return { value: 'already parked' };
      this.#setQueue(each.event, [...queue, each]);
      return { value: 'parked' };
    });
  }

  async replace(parked: ParkedEvent): Promise<void> {
    await this.interfereParking('replace', parked.event);
    const queue = this.#queue(parked.event);
    const others = queue.filter((each) => placeOf(each) !== placeOf(parked));
    if (others.length < queue.length) this.#setQueue(parked.event, [...others, parked]);
  }

  async find(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<ParkedEvent[]> {
    await this.interfereParking('find', instance);
    const places = new Set(positions.map((position) => placeOf({ position })));
    return this.#queue(instance).filter((each) => places.has(placeOf(each)));
  }

  async oldest(instance: InstanceKey, limit: number): Promise<ParkedEvent[]> {
    await this.interfereParking('oldest', instance);
    return this.#queue(instance).slice(0, limit);
  }

  count(instance: InstanceKey): Promise<number> {
    return Promise.resolve(this.#queue(instance).length);
  }

  async remove(instance: InstanceKey, positions: readonly StreamPosition[]): Promise<void> {
    await this.interfereParking('remove', instance);
    const places = new Set(positions.map((position) => placeOf({ position })));
    const left = this.#queue(instance).filter((each) => !places.has(placeOf(each)));
    this.#setQueue(instance, left);
  }

  async finish(change: QueueChange, after: QueueSummary): Promise<'finished' | 'interfered'> {
    await this.interfereParking('finish', change.instance);
    const queue = this.#summaryOf(change.instance);
    if (queue.version !== change.version) return 'interfered';
    this.#write(change.instance, after, change);
    return 'finished';
  }

  async recount(instance: InstanceKey, change?: QueueChange): Promise<void> {
    await this.interfereParking('recount', instance);
    const queue = this.#queue(instance);
    this.#write(instance, { count: queue.length, since: queue[0]?.at }, change);
  }

  #write(instance: InstanceKey, after: QueueSummary, change: QueueChange | undefined): void {
    const queue = this.#summaryOf(instance);
    queue.version++;
    queue.summary = after;
    if (change) queue.announced.delete(change.name);
    const row = this.rows.get(nameOf(instance));
    if (row) this.rows.set(nameOf(instance), { ...row, parked: after.count });
  }

  /** What the status row says of a queue. */
  #summaryOf(instance: InstanceKey) {
    const none = {
      version: 0,
      announced: new Set<string>(),
      summary: { count: 0, since: undefined } as QueueSummary,
    };
    const queue = this.#summaries.get(nameOf(instance)) ?? none;
    this.#summaries.set(nameOf(instance), queue);
    return queue;
  }

  #setQueue(instance: InstanceKey, events: readonly ParkedEvent[]): void {
    const inOrder = events.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    this.parked.set(nameOf(instance), inOrder);
  }

  #queue(instance: InstanceKey): ParkedEvent[] {
    return this.parked.get(nameOf(instance)) ?? [];
  }

  commit(commits: readonly Commit[]): Promise<SettledResult<'committed' | 'conflict'>[]> {
    return this.#each('commit', commits, (commit) => {
      const history = this.of(commit);
      if (history.length >= commit.version) return 'conflict';
      this.commits.set(`${commit.model}#${commit.transaction}`, [...history, commit]);
      return 'committed';
    });
  }

  findFlushed(lookups: readonly SeenLookup[]): Promise<SettledResult<FlushedVersions>[]> {
    return Promise.resolve(lookups.map(() => ({ value: new Map() })));
  }

  flushSeen(heads: readonly Head[]): Promise<SettledResult<Head>[]> {
    return Promise.resolve(heads.map((value) => ({ value })));
  }

  summariesAt(key: InstanceKey, versions: readonly number[]): Promise<CommitSummary[]> {
    return Promise.resolve(versions.map((version) => summaryOf(this.of(key)[version - 1]!)));
  }

  writeStatus(commits: readonly Head[]): Promise<SettledResult<void>[]> {
    return this.#each('writeStatus', commits, (commit) => {
      const name = `${commit.model}#${commit.transaction}`;
      if ((this.rows.get(name)?.version ?? 0) < commit.version)
        this.rows.set(name, statusRow(commit, this.#queue(commit).length));
    });
  }

  commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined> {
    return Promise.resolve(this.of(key).findLast((commit) => commit.at <= at));
  }

  async *commitsBefore(key: InstanceKey, version: number): AsyncGenerator<Commit> {
    for (const commit of this.of(key)
      .slice(0, version - 1)
      .toReversed()) {
      this.historyReads++;
      yield await Promise.resolve(commit);
    }
  }

  async *summariesBefore(key: InstanceKey, version: number): AsyncGenerator<CommitSummary> {
    for await (const commit of this.commitsBefore(key, version)) yield summaryOf(commit);
  }

  commitsFrom(key: InstanceKey, version: number, limit: number) {
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
  ): Promise<SettledResult<Out>[]> {
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

/** A step of parking that can be interfered with. */
export type ParkingStep = Exclude<keyof ParkingStore, 'count'>;

const placeOf = ({ position }: Pick<ParkedEvent, 'position'>) =>
  `${position.shard}#${sortableSequence(position.sequence)}`;

const nameOf = ({ model, transaction }: InstanceKey) => `${model}#${transaction}`;
