import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit, CommitSummary, Head } from '../../core/history/commit.ts';
import type { SeenLimits } from '../../core/history/seen-runs.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { mayContainSealed } from '../../core/personal-data/sealed.ts';
import { mapAtPaths, type Sensitive } from '../../core/personal-data/sensitive.ts';
import type { DataKeys } from '../../stores/data-keys.ts';
import type {
  ConsistentRead,
  FlushedVersions,
  InstanceStore,
  OptimisticRead,
  SeenLookup,
} from '../../stores/instance-store.ts';
import { type SettledResult, settle } from '../../stores/settled-result.ts';
import { mayBeSealed, sealCommit, unsealCommit, unsealHead } from './sealed-commit.ts';

/**
 * An instance store that seals a model's sensitive fields when it writes commits and unseals them when it reads
 * commits. Without a model, the store only unseals.
 */
export class SealingStore implements InstanceStore {
  readonly #store: InstanceStore;
  readonly #keys: DataKeys;
  readonly #model: { readonly sensitive?: Sensitive };

  /** @param model declares the sensitive fields, which may change from one commit to the next. Default: none. */
  constructor(
    store: InstanceStore,
    keys: DataKeys,
    model: { readonly sensitive?: Sensitive } = {},
  ) {
    this.#store = store;
    this.#keys = keys;
    this.#model = model;
  }

  async readOptimistic(keys: readonly InstanceKey[]): Promise<SettledResult<OptimisticRead>[]> {
    const found = await this.#store.readOptimistic(keys);
    return settledBy(found, async (recent) => {
      const { head } = recent;
      return head ? { ...recent, head: await this.#openHead(head) } : recent;
    });
  }

  async readConsistent(keys: readonly InstanceKey[]): Promise<SettledResult<ConsistentRead>[]> {
    const found = await this.#store.readConsistent(keys);
    return settledBy(found, async (newest) => {
      const { commit } = newest;
      return commit ? { ...newest, commit: await this.#openNewest(commit) } : newest;
    });
  }

  async commit(commits: readonly Commit[]): Promise<SettledResult<'committed' | 'conflict'>[]> {
    const { sensitive } = this.#model;
    if (!sensitive) return this.#store.commit(commits);
    const sealed = await settledBy(
      commits.map((commit) => ({ value: commit })),
      async (commit) => sealCommit(commit, sensitive, await this.#keys.getOrCreate(commit)),
    );
    const ready = sealed.flatMap((each) => ('value' in each ? [each.value] : []));
    const answers = (await this.#store.commit(ready)).values();
    return sealed.map((each) => ('error' in each ? each : answers.next().value!));
  }

  /** Passes the lookups through unchanged because fingerprints are never sealed. */
  findFlushed(lookups: readonly SeenLookup[]): Promise<SettledResult<FlushedVersions>[]> {
    return this.#store.findFlushed(lookups);
  }

  flushSeen(heads: readonly Head[], limits: SeenLimits): Promise<SettledResult<Head>[]> {
    return this.#store.flushSeen(heads, limits);
  }

  writeStatus(heads: readonly Head[]): Promise<SettledResult<void>[]> {
    return this.#store.writeStatus(heads);
  }

  async commitAsOf(key: InstanceKey, at: string): Promise<Commit | undefined> {
    const commit = await this.#store.commitAsOf(key, at);
    return commit && this.#open(commit);
  }

  async *commitsBefore(key: InstanceKey, version: number): AsyncGenerator<Commit> {
    for await (const commit of this.#store.commitsBefore(key, version)) yield this.#open(commit);
  }

  /** Passes the summaries through unchanged because events' ids and sources are never sealed. */
  summariesBefore(key: InstanceKey, version: number): AsyncIterable<CommitSummary> {
    return this.#store.summariesBefore(key, version);
  }

  summariesAt(key: InstanceKey, versions: readonly number[]): Promise<readonly CommitSummary[]> {
    return this.#store.summariesAt(key, versions);
  }

  async commitsFrom(key: InstanceKey, version: number, limit: number) {
    const { commits, more } = await this.#store.commitsFrom(key, version, limit);
    return { commits: await Promise.all(commits.map((each) => this.#open(each))), more };
  }

  async #open(commit: Commit): Promise<Commit> {
    return mayBeSealed(commit) ? unsealCommit(commit, await this.#keys.get(commit)) : commit;
  }

  async #openNewest(commit: Commit): Promise<Commit> {
    const [opened, { state }] = await Promise.all([this.#open(commit), this.#openHead(commit)]);
    return { ...opened, state };
  }

  async #openHead(head: Head): Promise<Head> {
    const { state: paths = [] } = this.#model.sensitive ?? {};
    if (paths.length === 0 && !mayContainSealed(head.state)) return head;
    const key = await this.#keys.get(head);
    const opened = unsealHead(head, key);
    // The table or a cache may contain a plain-text state that was stored before a field became sensitive.
    return key === 'forgotten' ? { ...opened, state: withNulls(opened.state, paths) } : opened;
  }
}

const withNulls = (state: string, paths: readonly string[]) =>
  JSON.stringify(mapAtPaths(parseJson(state), paths, () => null));

/** Maps the successful results. If mapping a result fails, only that result becomes an error. */
function settledBy<From, To>(
  answers: readonly SettledResult<From>[],
  next: (value: From) => Promise<To>,
): Promise<SettledResult<To>[]> {
  return Promise.all(
    answers.map(async (answer) => ('error' in answer ? answer : settle(() => next(answer.value)))),
  );
}
