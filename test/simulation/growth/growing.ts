import type { DynamoDb, Item } from '../../../src/aws/client/dynamodb.ts';
import { IndexPartitionsWriter } from '../../../src/aws/instances/index-partitions-writer.ts';
import { announcementPeriod, cacheLifetime } from '../../../src/aws/instances/partition-counts.ts';
import { DynamoDbDueTimerIndex } from '../../../src/aws/lists/dynamodb-due-timer-index.ts';
import { DynamoDbInstanceLists } from '../../../src/aws/lists/dynamodb-instance-lists.ts';
import { Chance } from '../../../src/common/chance.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Account } from '../lambdas.ts';

/** The prefix of most transaction ids. */
const prefix = 'T';
const model = 'tally';
/** A time after every due time: events of the year 9998 start timers that are due in 9999. */
const never = '9999-12-31T23:59:59.999Z';

/** The numbers of index partitions that a run sets, in order. */
const growth = [16, 32];

/** The numbers of partitions that an index may have in a run. */
export const possibleCounts = [2, 8, 16, 32];

/**
 * Raises the number of index partitions several times while events arrive, and compares all lists with the status rows.
 * It draws separate random numbers so that the other parts of a run do not depend on it.
 */
export class Growing {
  readonly findings: string[] = [];
  readonly #account: Account;
  readonly #chance: Chance;
  readonly #writer: IndexPartitionsWriter;
  readonly #lists: DynamoDbInstanceLists;
  readonly #due: DynamoDbDueTimerIndex;

  constructor(account: Account, seed: number) {
    this.#account = account;
    this.#chance = new Chance(seed + 4e9);
    const { database, sabotage, clock } = account;
    const [writing, reading] = [this.#skewedClock(), this.#skewedClock()];
    const client: DynamoDb = database.dynamoDb;
    const reader = sabotage.growing?.reader?.(client, clock) ?? client;
    this.#writer = new IndexPartitionsWriter(
      sabotage.growing?.writer?.(client) ?? client,
      'instances',
      writing,
    );
    this.#lists = new DynamoDbInstanceLists(reader, 'instances', reading);
    this.#due = new DynamoDbDueTimerIndex(reader, 'instances', reading);
  }

  /** In half of the runs, stores the number of index partitions that a new installation starts with. */
  async begin(): Promise<void> {
    if (this.#chance.happens(0.5)) await this.#writer.begin();
  }

  /** @param send sends an event. */
  async trouble(send: () => void): Promise<void> {
    const { clock, count } = this.#account;
    for (const number of growth) {
      count('increases of the number of index partitions');
      // Runs of the clock function can overlap.
      await Promise.all([this.#writer.raise(number), this.#writer.raise(number)]);
      const walk = this.#walk();
      const from = clock.now() + announcementPeriod;
      while (clock.now() < from + 2 * cacheLifetime) {
        await clock.sleep(this.#chance.whole(1_000, 20_000));
        send();
        await walk.next();
        // Compare only while caches can contain a stale count, because a comparison makes many queries.
        const sinceGrowth = clock.now() - (clock.now() < from ? from - announcementPeriod : from);
        if (sinceGrowth < 2 * cacheLifetime) await this.#compare();
      }
    }
  }

  /** Reports status rows that are missing from a list, unless they changed during the read. */
  async #compare(): Promise<void> {
    const before = this.#rows();
    const lists: Readonly<Record<string, (row: Item) => boolean>> = {
      all: isListed,
      'the lists by status': (row) => isListed(row) && isOfModel(row.pk!.S!),
      'the search by id prefix': (row) => isListed(row) && row.transaction!.S!.startsWith(prefix),
      'the list of parked events': (row) => row.parkedKey !== undefined,
      'the due timers': (row) => row.dueKey !== undefined,
    };
    const found = await Promise.all([
      this.#list({}),
      this.#listByStatus(before),
      this.#list({ prefix }),
      this.#list({ parked: true }),
      this.#dueInstances(),
    ]);
    const after = this.#rows();
    for (const [n, [list, belongs]] of Object.entries(lists).entries())
      for (const [name, row] of before) {
        const isUnchanged = JSON.stringify(after.get(name)) === JSON.stringify(row);
        if (isUnchanged && belongs(row) && !found[n]!.has(name))
          this.findings.push(`${name} is missing from ${list}`);
      }
  }

  /** Repeatedly reads all instances in fixed order, in small pages, and reports missing and repeated instances. */
  async *#walk(): AsyncGenerator<void> {
    for (;;) {
      const rows = [...this.#rows()].filter(([name, row]) => isOfModel(name) && isListed(row));
      const found: string[] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
        const page = await this.#lists.keysInFixedOrder(model, { limit: 3, cursor });
        found.push(...page.items.map(nameOf));
        ({ cursor } = page);
        yield;
      }
      for (const [name] of rows) {
        const times = found.filter((each) => each === name).length;
        if (times !== 1) this.findings.push(`${name} appears ${times} times in the fixed order`);
      }
    }
  }

  async #list(query: Parameters<DynamoDbInstanceLists['list']>[0]): Promise<Set<string>> {
    const found = new Set<string>();
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = await this.#lists.list(query, { limit: 100, cursor });
      for (const instance of page.items) found.add(nameOf(instance));
      ({ cursor } = page);
    }
    return found;
  }

  async #listByStatus(rows: ReadonlyMap<string, Item>): Promise<Set<string>> {
    const statuses = new Set([...rows.values()].flatMap(({ status }) => status?.S ?? []));
    const found = await Promise.all([...statuses].map((status) => this.#list({ model, status })));
    return new Set(found.flatMap((names) => [...names]));
  }

  async #dueInstances(): Promise<Set<string>> {
    const partitions = await this.#due.partitions();
    const pages = partitions.map((partition) =>
      Array.fromAsync(this.#due.dueInstances(partition, never)),
    );
    return new Set((await Promise.all(pages)).flat(2).map(nameOf));
  }

  /** Returns the status rows by the names of their instances. */
  #rows(): Map<string, Item> {
    const items = this.#account.database.items('instances');
    return new Map(items.filter(({ sk }) => sk!.S === 'STATUS').map((row) => [row.pk!.S!, row]));
  }

  #skewedClock(): Clock {
    const { clock } = this.#account;
    const skew = this.#chance.whole(-3_000, 3_000);
    return { now: () => clock.now() + skew, sleep: (...given) => clock.sleep(...given) };
  }
}

const isListed = ({ startedAt }: Item) => startedAt?.S !== undefined;
const isOfModel = (name: string) => name.startsWith(`${model}#`);
const nameOf = ({ model: id, transaction }: InstanceKey) => `${id}#${transaction}`;
