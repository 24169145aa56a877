import { type Clock, systemClock } from '../../common/clock.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import { type Commit, type Head, headOf } from '../../core/history/commit.ts';
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
import { readCommit } from './read-commits.ts';
import { readHeadsOptimistic } from './read-heads-optimistic.ts';
import { readLastItem } from './read-items.ts';
import { SeenRunStore } from './seen-run-store.ts';
import { settleTogether } from './settle-together.ts';
import { StatusRowWriter } from './status-row-writer.ts';
import { type SeenDependencies, withWholeSeen } from './with-whole-seen.ts';

/** Reads and writes the instances in the instances table. */
export class DynamoDbInstanceStore extends CommitReader implements InstanceStore {
  readonly #sources: SeenDependencies;
  readonly #runs: SeenRunStore;
  readonly #rows: StatusRowWriter;

  /** @param clock measures the delays between attempts and the age of cached settings. Default: the system clock. */
  constructor(client: DynamoDb, table: string, clock: Clock = systemClock) {
    const instances = { client, table, clock };
    super(instances);
    this.#runs = new SeenRunStore(instances);
    this.#rows = new StatusRowWriter(instances);
    this.#sources = { ...instances, headCache: new HeadCache() };
  }

  readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]> {
    return settleEach(keys, async (key) => {
      // Parked events sort after the commits, so the last item in this range shows whether events are parked.
      const last = await readLastItem(this.#sources, key, `${parkedPrefix}~`);
      const hasParked = last?.sk?.S?.startsWith(parkedPrefix) ?? false;
      const item = hasParked ? await readLastItem(this.#sources, key) : last;
      const [commit] = item
        ? await withWholeSeen(this.#sources, [await readCommit(this.#sources, item)])
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
}
