import { type Clock, systemClock } from '../../common/clock.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import { type Commit, type CommitSummary, type Head, headOf } from '../../core/history/commit.ts';
import type { SeenLimits } from '../../core/history/seen-runs.ts';
import type {
  ConsistentRead,
  FlushedVersions,
  InstanceStore,
  OptimisticRead,
  SeenLookup,
} from '../../stores/instance-store.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { settleEach } from '../dynamodb/settle.ts';
import { CommitReader } from './commit-reader.ts';
import { flushSeen } from './flush-seen.ts';
import { HeadCache } from './head-cache.ts';
import { insertCommits } from './insert-commits.ts';
import { parkedPrefix } from './instance-keys.ts';
import type { HeadDependencies } from './query-head.ts';
import { readHeadsOptimistic } from './read-heads-optimistic.ts';
import { SeenRunStore } from './seen-run-store.ts';
import { settleTogether } from './settle-together.ts';
import { StatusRowWriter } from './status-row-writer.ts';
import { withWholeSeen } from './with-whole-seen.ts';

export class DynamoDbInstanceStore implements InstanceStore {
  readonly #sources: HeadDependencies;
  readonly #commits: CommitReader;
  readonly #runs: SeenRunStore;
  readonly #rows: StatusRowWriter;

  /** @param clock measures the delays between attempts and the age of cached settings. Default: the system clock. */
  constructor(client: DynamoDb, table: string, clock: Clock = systemClock) {
    const instances = { client, table, clock };
    this.#commits = new CommitReader(instances);
    this.#runs = new SeenRunStore(instances);
    this.#rows = new StatusRowWriter(instances);
    this.#sources = { ...instances, headCache: new HeadCache(), commits: this.#commits };
  }

  readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]> {
    return settleEach(keys, async (key) => {
      // Parked events sort after the commits, so the last item in this range shows whether events are parked.
      const last = await this.#commits.lastItem(key, `${parkedPrefix}~`);
      const hasParked = last?.sk?.S?.startsWith(parkedPrefix) ?? false;
      const item = hasParked ? await this.#commits.lastItem(key) : last;
      const [commit] = item
        ? await withWholeSeen(this.#sources, [await this.#commits.read(item)])
        : [];
      return { commit, hasParked };
    });
  }

  readOptimistic(keys: readonly InstanceKey[]): Promise<SettledResult<OptimisticRead>[]> {
    return settleTogether(
      keys,
      (key) => key,
      (some) => readHeadsOptimistic(this.#sources, some),
    );
  }

  async commit(commits: readonly Commit[]): Promise<SettledResult<'committed' | 'conflict'>[]> {
    const answers = await insertCommits(this.#sources, commits);
    return answers.map((answer, n) => {
      if ('error' in answer) return answer;
      if (answer.value === 'done') this.#sources.headCache.add(headOf(commits[n]!));
      return { value: answer.value === 'done' ? 'committed' : 'conflict' };
    });
  }

  findFlushed(lookups: readonly SeenLookup[]): Promise<SettledResult<FlushedVersions>[]> {
    return settleTogether(
      lookups,
      ({ head }) => head,
      async (some) => (await this.#runs.find(some)).map((value) => ({ value })),
    );
  }

  flushSeen(heads: readonly Head[], limits: SeenLimits): Promise<SettledResult<Head>[]> {
    return settleEach(heads, (head) =>
      flushSeen(this.#runs, head, this.summariesBefore(head, head.version + 1), limits),
    );
  }

  writeStatus(heads: readonly Head[]): Promise<SettledResult<void>[]> {
    return this.#rows.write(heads);
  }

  commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined> {
    return this.#commits.commitAsOf(key, at);
  }

  commitsBefore(key: InstanceKey, version: number): AsyncIterable<Commit> {
    return this.#commits.commitsBefore(key, version);
  }

  summariesBefore(key: InstanceKey, version: number): AsyncIterable<CommitSummary> {
    return this.#commits.summariesBefore(key, version);
  }

  summariesAt(key: InstanceKey, versions: readonly number[]): Promise<CommitSummary[]> {
    return this.#commits.summariesAt(key, versions);
  }

  commitsFrom(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ commits: Commit[]; more: boolean }> {
    return this.#commits.commitsFrom(key, version, limit);
  }
}
