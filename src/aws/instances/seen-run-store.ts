import { RecentMap } from '../../common/recent-map.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import {
  pageCount,
  pageOf,
  type SeenEntry,
  SeenPage,
  type SeenRun,
  toPages,
} from '../../core/history/seen-runs.ts';
import type { SeenLookup } from '../../stores/instance-store.ts';
import type { Item } from '../client/dynamodb.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { executeStatements, insertStatement } from '../dynamodb/execute-statements.ts';
import { itemKey, seenPageKey } from './instance-keys.ts';
import type { InstancesTable } from './instances-table.ts';

/** The minimum number of decoded pages, of about 10 KB each, that a process caches. The maximum is twice that. */
const cachedPages = 500;

/** Identifies a page of a sorted run. */
interface PageReference {
  readonly instance: InstanceKey;
  readonly run: SeenRun;
  readonly index: number;
}

/** Stores the pages of sorted runs in the instances table. Pages never change, so they can be cached indefinitely. */
export class SeenRunStore {
  readonly #table: InstancesTable;
  /** The most recently used pages, by their keys. */
  readonly #cache = new RecentMap<SeenPage>(cachedPages);

  constructor(table: InstancesTable) {
    this.#table = table;
  }

  /**
   * Finds the commits that may contain events with the given fingerprints. Different events can share a fingerprint.
   *
   * @returns for each lookup, the versions of the found commits by fingerprint.
   */
  async find(lookups: readonly SeenLookup[]): Promise<Map<number, number[]>[]> {
    const references = lookups.map(({ head, fingerprints }) =>
      head.seen.runs.flatMap((run) =>
        [...Map.groupBy(fingerprints, (fingerprint) => pageOf(run, fingerprint))].map(
          ([index, wanted]) => ({ instance: head, run, index, wanted }),
        ),
      ),
    );
    const pages = await this.#read(references.flat());
    return references.map((each) => {
      const found = new Map<number, number[]>();
      for (const reference of each) {
        const page = pages.get(nameOf(keyOf(reference)))!;
        for (const fingerprint of reference.wanted) {
          const versions = page.versionsOf(fingerprint);
          if (versions.length > 0)
            found.set(fingerprint, [...(found.get(fingerprint) ?? []), ...versions]);
        }
      }
      return found;
    });
  }

  /** Reads all events in a run. */
  async entriesOf(instance: InstanceKey, run: SeenRun): Promise<SeenEntry[]> {
    const pages = await this.#read(
      Array.from({ length: pageCount(run) }, (_, index) => ({ instance, run, index })),
    );
    return [...pages.values()].flatMap((page) => page.entries());
  }

  /** Writes a run. Existing pages are identical, so they are not overwritten. */
  async write(instance: InstanceKey, run: SeenRun, entries: readonly SeenEntry[]): Promise<void> {
    const { client, table } = this.#table;
    const pages = toPages(run, entries);
    const statements = pages.map((page, index) =>
      insertStatement(table, {
        ...keyOf({ instance, run, index }),
        page: { B: page.encode(run, index) },
      }),
    );
    for (const answer of await executeStatements(client, statements))
      if ('error' in answer) throw answer.error;
    for (const [index, page] of pages.entries())
      this.#cache.set(nameOf(keyOf({ instance, run, index })), page);
  }

  /** Reads pages, from the cache if possible. Returns them by name. Throws a TypeError if a page is missing. */
  async #read(references: readonly PageReference[]): Promise<Map<string, SeenPage>> {
    const { client, table, clock } = this.#table;
    const wanted = new Map(references.map((reference) => [nameOf(keyOf(reference)), reference]));
    const pages = new Map<string, SeenPage>();
    for (const name of wanted.keys()) {
      const page = this.#cache.get(name);
      if (page) pages.set(name, page);
    }
    const missing = [...wanted].filter(([name]) => !pages.has(name));
    const keys = missing.map(([, reference]) => keyOf(reference));
    const items = await batchGet(client, table, keys, { clock });
    const found = new Map(items.map((item) => [nameOf(item), item.page!.B!]));
    for (const [name, { run, index }] of missing) {
      const bytes = found.get(name);
      if (!bytes) throw new TypeError(`the item ${name} is missing`);
      pages.set(name, SeenPage.decode(run, index, bytes));
    }
    for (const [name, page] of pages) this.#cache.set(name, page);
    return pages;
  }
}

const keyOf = ({ instance, run, index }: PageReference) =>
  itemKey(instance, seenPageKey(run, index));

const nameOf = ({ pk, sk }: Item) => `${pk!.S} ${sk!.S}`;
