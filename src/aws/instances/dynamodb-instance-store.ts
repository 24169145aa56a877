import { type Clock, systemClock } from '../../common/clock.ts';
import { mapWithin } from '../../common/map-within.ts';
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
import type { DynamoDb, Item } from '../client/dynamodb.ts';
import { batchGet, projectionOf } from '../dynamodb/batch-get.ts';
import { executeStatements, type StatementResult } from '../dynamodb/execute-statements.ts';
import { insertItem, insertSmallItems } from '../dynamodb/insert-items.ts';
import { tooLargeForItem } from '../dynamodb/item-size.ts';
import { settleEach, settleRemaining } from '../dynamodb/settle.ts';
import { tryConditionalWrite } from '../dynamodb/try-conditional-write.ts';
import { writeKeyIndex } from '../lists/key-index.ts';
import {
  type CommitItems,
  commitFrom,
  committedAt,
  StoredCommit,
  summaryAttributes,
  summaryFrom,
  textKeysOf,
  toItems,
  versionOf,
} from './commit-item.ts';
import { commitTimes, lastVersionBy } from './commit-times.ts';
import { flushSeen } from './flush-seen.ts';
import { HeadCache } from './head-cache.ts';
import { IndexPartitions } from './index-partitions.ts';
import { commitKey, itemKey, parkedPrefix, partitionOf } from './instance-keys.ts';
import type { Partitions } from './partition-counts.ts';
import { readHeadsOptimistic } from './read-heads-optimistic.ts';
import { SeenRunStore } from './seen-run-store.ts';
import { settleTogether } from './settle-together.ts';
import { statusStatement, statusUpdate } from './status-updates.ts';
import { StatusesInUse } from './statuses-in-use.ts';
import { type SeenDependencies, withWholeSeen } from './with-whole-seen.ts';

const pageSize = 25;
/**
 * The maximum total size of the states in commits that are returned together, and the approximate maximum total size of
 * their events' data, in characters. The states in a DynamoDB response of 1 MB are compressed and can be several
 * hundred times larger in memory.
 */
const maximumPageCharacters = 8 * 1024 * 1024;
/** How many commits' large texts are read together before their typical size is known. */
const firstCommitsWithTexts = 2;
/** The maximum version: a commit's sort key contains ten digits. */
const maximumVersion = 9_999_999_999;

/** A range of an instance's items, and the order in which they are read. */
interface CommitRange {
  /** The version of the first commit. */
  readonly from?: number;
  readonly descending: boolean;
  /** The maximum number of items. Default: as many as DynamoDB returns in one response of up to 1 MB. */
  readonly limit?: number;
  /** The attributes to read. Default: all attributes. */
  readonly attributes?: readonly string[];
}

export class DynamoDbInstanceStore implements InstanceStore {
  readonly #client: DynamoDb;
  readonly #tableName: string;
  readonly #clock: Clock;
  readonly #known = new HeadCache();
  readonly #runs: SeenRunStore;
  readonly #partitions: IndexPartitions;
  readonly #statuses: StatusesInUse;

  /** @param clock measures the delays between attempts and the age of cached settings. Default: the system clock. */
  constructor(client: DynamoDb, tableName: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#tableName = tableName;
    this.#clock = clock;
    this.#runs = new SeenRunStore({ client, table: tableName, clock });
    this.#partitions = new IndexPartitions(client, tableName, clock);
    this.#statuses = new StatusesInUse(client, tableName, clock);
  }

  get #sources(): SeenDependencies {
    return {
      client: this.#client,
      table: this.#tableName,
      headCache: this.#known,
      clock: this.#clock,
    };
  }

  readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]> {
    return settleEach(keys, async (key) => {
      // Parked events sort after the commits, so the last item in this range shows whether events are parked.
      const last = await this.#last(key, `${parkedPrefix}~`);
      const hasParked = last?.sk?.S?.startsWith(parkedPrefix) ?? false;
      const item = hasParked ? await this.#last(key, commitKey(maximumVersion)) : last;
      const [commit] = item ? await withWholeSeen(this.#sources, [await this.#read(item)]) : [];
      return { commit, hasParked };
    });
  }

  readOptimistic(keys: readonly InstanceKey[]): Promise<SettledResult<OptimisticRead>[]> {
    const last = (key: InstanceKey) => this.#last(key, commitKey(maximumVersion));
    return settleTogether(
      keys,
      (key) => key,
      (some) => readHeadsOptimistic({ ...this.#sources, last }, some),
    );
  }

  async commit(commits: readonly Commit[]): Promise<SettledResult<'committed' | 'conflict'>[]> {
    const items = commits.map(toItems);
    // A commit's large texts must be written first.
    const alone = items.map(({ commit, texts }) => (texts.length === 0 ? commit : undefined));
    const tried = await insertSmallItems(this.#client, this.#tableName, alone);
    // Each throttled item is retried in a separate request, with the client's backoff.
    const answers = await settleRemaining(items, tried, (each) => this.#write(each));
    return answers.map((answer, n) => {
      if ('error' in answer) return answer;
      if (answer.value === 'done') this.#known.add(headOf(commits[n]!));
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

  async writeStatus(heads: readonly Head[]): Promise<SettledResult<void>[]> {
    if (heads.length === 0) return [];
    const [settled] = await settleEach([heads], (every) => this.#prepareRows(every));
    if ('error' in settled!) return heads.map(() => settled);
    const partitions = settled!.value;
    const found = await writeKeyIndex(this.#client, this.#tableName, heads, partitions);
    const isFound = (_: Head, n: number) => 'value' in found[n]!;
    const written = (await this.#writeRows(heads.filter(isFound), partitions)).values();
    return found.map((each) => ('error' in each ? each : written.next().value!));
  }

  /** Prepares the indexes for the heads' rows and returns the numbers of partitions that the rows need. */
  async #prepareRows(heads: readonly Head[]): Promise<Partitions> {
    const rows = heads.map(({ model, description }) => ({ model, status: description.status }));
    const [partitions] = await Promise.all([
      this.#partitions.toWrite(),
      this.#statuses.record(rows),
    ]);
    return partitions;
  }

  async #writeRows(heads: readonly Head[], partitions: Partitions): Promise<SettledResult<void>[]> {
    const statements = heads.map((head) => statusStatement(this.#tableName, head, partitions));
    const batched = await executeStatements(this.#client, statements);
    const isDone = (answer: SettledResult<StatementResult>) =>
      'value' in answer && answer.value === 'done';
    const tried = batched.map((answer) => (isDone(answer) ? { value: undefined } : undefined));
    return settleRemaining(heads, tried, async (head) => {
      const update = statusUpdate(this.#tableName, head, partitions);
      await tryConditionalWrite(() => this.#client.updateItem(update));
    });
  }

  async commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined> {
    const last = await this.#last(key, commitKey(maximumVersion));
    if (!last) return undefined;
    if (committedAt(last) <= at) return this.#read(last);
    const madeAts = (versions: readonly number[]) =>
      commitTimes(this.#client, this.#tableName, key, versions);
    const version = await lastVersionBy(at, versionOf(last), madeAts);
    if (version === 0) return undefined;
    const { commits } = await this.commitsFrom(key, version, 1);
    return commits[0];
  }

  async *commitsBefore(key: InstanceKey, version: number): AsyncGenerator<Commit> {
    for (let below = version; below > 1; ) {
      const page = await this.#commits(key, { below, descending: true, limit: pageSize });
      for (const item of page.items) {
        const commit = await this.#read(item);
        below = commit.version;
        yield commit;
      }
      if (page.items.length === 0) return;
    }
  }

  async *summariesBefore(key: InstanceKey, version: number): AsyncGenerator<CommitSummary> {
    // Callers usually search for a recent commit, so the first page is small.
    let limit: number | undefined = pageSize;
    for (let below = version; below > 1; limit = undefined) {
      const range = { below, descending: true, limit, attributes: summaryAttributes };
      const { items } = await this.#commits(key, range);
      for (const item of items) yield summaryFrom(new StoredCommit(item));
      const last = items.at(-1);
      if (!last) return;
      below = versionOf(last);
    }
  }

  async summariesAt(key: InstanceKey, versions: readonly number[]): Promise<CommitSummary[]> {
    const keys = versions.map((version) => itemKey(key, commitKey(version)));
    const items = await batchGet(this.#client, this.#tableName, keys, {
      attributes: summaryAttributes,
      clock: this.#clock,
    });
    return items.map((item) => summaryFrom(new StoredCommit(item)));
  }

  async commitsFrom(
    key: InstanceKey,
    version: number,
    limit: number,
  ): Promise<{ commits: Commit[]; more: boolean }> {
    const range = { from: version, descending: false, limit: limit + 1 };
    const { items, cut } = await this.#commits(key, range);
    // A truncated response can end with the instance's last commit. The response's last item is therefore left for the
    // next page, which could otherwise be empty although this page has `more`.
    const more = cut || items.length > limit;
    const shown = more ? items.slice(0, Math.min(limit, items.length - 1)) : items;
    const fitting = mapWithin(
      maximumPageCharacters,
      shown,
      (item) => new StoredCommit(item),
      ({ parts: { states } }) => states.reduce((sum, { length }) => sum + length, 0),
    );
    const commits = await this.#readTextsWithin(fitting);
    return { commits, more: more || commits.length < shown.length };
  }

  async #write({ commit, texts }: CommitItems): Promise<StatementResult> {
    const tooLarge = tooLargeForItem(commit, `the commit ${commit.pk!.S} ${commit.sk!.S}`);
    if (tooLarge) throw tooLarge;
    for (const item of texts)
      await this.#client.putItem({ TableName: this.#tableName, Item: item });
    return insertItem(this.#client, this.#tableName, commit);
  }

  /** Reads the last item among an instance's commits and parked events up to a sort key. */
  async #last(key: InstanceKey, upTo: string): Promise<Item | undefined> {
    const { items } = await this.#upTo(key, upTo, { descending: true, limit: 1 });
    return items[0];
  }

  #commits(
    key: InstanceKey,
    { below = maximumVersion + 1, ...range }: { below?: number } & CommitRange,
  ): Promise<{ items: Item[]; cut: boolean }> {
    return this.#upTo(key, commitKey(below - 1), range);
  }

  /** Reads an instance's items, from a commit up to a sort key. */
  async #upTo(
    key: InstanceKey,
    last: string,
    { from = 1, descending, limit, attributes }: CommitRange,
  ): Promise<{ items: Item[]; cut: boolean }> {
    const { Items, LastEvaluatedKey } = await this.#client.query({
      TableName: this.#tableName,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ...(attributes && projectionOf(attributes)),
      ExpressionAttributeValues: {
        ':pk': { S: partitionOf(key) },
        ':first': { S: commitKey(from) },
        ':last': { S: last },
      },
      ConsistentRead: true,
      ScanIndexForward: !descending,
      Limit: limit,
    });
    return { items: Items ?? [], cut: LastEvaluatedKey !== undefined };
  }

  #read(item: Item): Promise<Commit> {
    return this.#readTexts(new StoredCommit(item));
  }

  /** Adds the large texts to the first commits until their events' data reaches the limit of a page. */
  async #readTextsWithin(stored: readonly StoredCommit[]): Promise<Commit[]> {
    const commits: Commit[] = [];
    let size = 0;
    for (let together = firstCommitsWithTexts; together > 0 && commits.length < stored.length; ) {
      const next = stored.slice(commits.length, commits.length + together);
      const read = await Promise.all(next.map((each) => this.#readTexts(each)));
      for (const { entries } of read) for (const { data } of entries) size += data.length;
      commits.push(...read);
      const fitting = Math.floor((maximumPageCharacters - size) / (size / commits.length));
      together = Math.min(2 * together, fitting);
    }
    return commits;
  }

  /** Reads a commit's large texts. */
  async #readTexts(stored: StoredCommit): Promise<Commit> {
    const { pk } = stored.item;
    const keys = [...new Set(textKeysOf(stored))].map((sk) => ({ pk: pk!, sk: { S: sk } }));
    const texts = await batchGet(this.#client, this.#tableName, keys, { clock: this.#clock });
    return commitFrom(stored, new Map(texts.map((text) => [text.sk!.S!, text])));
  }
}
