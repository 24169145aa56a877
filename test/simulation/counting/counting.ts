import type { DynamoDBRecord } from 'aws-lambda';
import { DynamoDbCounterStore } from '../../../src/aws/counters/dynamodb-counter-store.ts';
import { DynamoDbMarkers } from '../../../src/aws/counters/dynamodb-markers.ts';
import { DynamoDbCounterStates } from '../../../src/aws/counters/rebuild/dynamodb-counter-states.ts';
import { DynamoDbObsoleteCounters } from '../../../src/aws/counters/rebuild/dynamodb-obsolete-counters.ts';
import { DynamoDbRowPages } from '../../../src/aws/counters/rebuild/dynamodb-row-pages.ts';
import { DynamoDbRowScanner } from '../../../src/aws/counters/rebuild/dynamodb-row-scanner.ts';
import { streamedRows } from '../../../src/aws/counters/streamed-rows.ts';
import { Chance } from '../../../src/common/chance.ts';
import { type CounterDependencies, countChanges } from '../../../src/counter/count-changes.ts';
import {
  type RebuildCountersDependencies,
  rebuildCounters,
} from '../../../src/counter/rebuild/rebuild-counters.ts';
import type { Item } from '../../support/aws-in-memory/dynamodb-expressions.ts';
import { MemoryDynamoDb } from '../../support/aws-in-memory/memory-dynamodb.ts';
import { dynamoDbClientOf } from '../dynamodb-client.ts';
import { Environment } from '../environment.ts';
import { awaited } from '../event-source.ts';
import { Lambda } from '../lambda.ts';
import type { Account } from '../lambdas.ts';
import { Network } from '../network.ts';
import { hasNoFault } from '../sabotage.ts';
import { type TableShard, TableStream } from './table-stream.ts';

/** The timeout of the counter function, and the time limit of a request to continue a rebuild, in milliseconds. */
const [timeout, requestLimit] = [60_000, 10_000];

interface Batch {
  readonly shard: string;
  readonly records: readonly DynamoDBRecord[];
}

/**
 * The stream of the instances table, the function that counts instances, and rebuilds of the counters. It draws
 * separate random numbers so that the other parts of a run do not depend on it.
 */
export class Counting {
  readonly #account: Account;
  readonly #instances: Account;
  readonly #stream: TableStream;
  readonly #function: Lambda<Batch, string | undefined>;
  readonly #positions = new Map<TableShard, number>();
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  /** @param shared the account of the run, whose instances are counted. */
  constructor(shared: Account, seed: number) {
    const chance = new Chance(seed + 3e9);
    const { client: _, ...sabotage } = shared.sabotage;
    const { weather, outages, clock, count } = shared;
    const network = new Network({ chance, weather, outages, clock, count });
    this.#instances = { ...shared, chance, network, limits: false, sabotage };
    const database = new MemoryDynamoDb({ counters: {} });
    this.#account = { ...this.#instances, database, replicated: database };
    const timeChance = new Chance(seed + 8e9);
    // Together with the errors of the functions' clocks and rounding, the error is at most `clockTolerance`. Runs with
    // a deliberate fault have exact times so that the seeds that reveal faults stay the same.
    const isIntact = hasNoFault(shared.sabotage);
    const timeErrorMs = () => (isIntact ? timeChance.whole(-1_000, 1_000) : 0);
    this.#stream = new TableStream(clock, chance, timeErrorMs);
    shared.database.listen('instances', (before, after) => this.#stream.append(before, after));
    this.#function = new Lambda(this.#account, {
      name: 'counter',
      timeout,
      start: (environment) => this.#startFunction(environment),
      onTimeout: () => shared.log.timeouts.push('the counter'),
    });
    void this.#poll();
  }

  /** Replaces shards, redelivers changes, and rebuilds counters, at random times within at most a minute. */
  async trouble(): Promise<void> {
    const { chance, clock, count, sabotage } = this.#account;
    const [acts, longest] = sabotage.busyCounters ? [12, 1_000] : [chance.whole(0, 6), 10_000];
    for (let n = acts; n > 0; n--) {
      await clock.sleep(chance.whole(0, longest));
      const act = chance.whole(0, 2);
      if (act === 0) this.#stream.roll();
      else if (act === 1) this.#rewind();
      else {
        count('rebuilds of counters');
        // Do not wait so that two rebuilds can run at the same time.
        this.#running = Promise.all([this.#running, this.#rebuild()]);
      }
    }
  }

  /** Resolves when all changes are counted and no rebuild is in progress. */
  async idle(): Promise<void> {
    const { clock, network } = this.#account;
    await this.#running;
    const isBehind = (shard: TableShard) => this.#positionOf(shard) < shard.records.length;
    while (this.#stream.shards.some(isBehind)) await clock.sleep(500);
    while (this.#function.running.size > 0) await Promise.all(this.#function.running);
    await network.settled();
  }

  stop(): void {
    this.#isStopped = true;
  }

  items(): Item[] {
    return this.#account.database.items('counters');
  }

  /** Moves the position in a shard back so that some changes are redelivered in different batches. */
  #rewind(): void {
    const { chance, count } = this.#account;
    const shard = chance.pick(this.#stream.shards);
    const position = this.#positionOf(shard);
    this.#positions.set(shard, position - chance.whole(0, Math.min(position, 50)));
    count('rewound shards of the table');
  }

  async #poll(): Promise<void> {
    const { clock } = this.#account;
    const busy = new Set<TableShard>();
    while (!this.#isStopped) {
      for (const shard of this.#stream.shards) {
        if (busy.has(shard) || !this.#isReady(shard)) continue;
        busy.add(shard);
        void this.#deliver(shard).finally(() => busy.delete(shard));
      }
      await clock.sleep(250);
    }
  }

  #isReady(shard: TableShard): boolean {
    const { parent } = shard;
    if (parent && this.#positionOf(parent) < parent.records.length) return false;
    return this.#positionOf(shard) < shard.records.length;
  }

  /** Delivers a batch and stores the new position in the shard. */
  async #deliver(shard: TableShard): Promise<void> {
    const { chance } = this.#account;
    const start = this.#positionOf(shard);
    const records = shard.records.slice(start, start + chance.pick([1, 3, 50]));
    const invocation = this.#function.invoke({ shard: shard.id, records });
    const result = await awaited(this.#account, invocation, () => undefined);
    if (result.kind !== 'ok') return;
    const failed = records.findIndex(
      ({ dynamodb }) => dynamodb!.SequenceNumber === result.response,
    );
    const counted = failed === -1 ? records.length : failed;
    // Sometimes redeliver the end of the batch, as after a crash before the stream records the progress.
    const again = chance.happens(0.2) ? chance.whole(0, counted) : 0;
    const end = start + counted - again;
    // If the shard was rewound in the meantime, keep the earlier position.
    if (this.#positionOf(shard) === start) this.#positions.set(shard, end);
  }

  #positionOf(shard: TableShard): number {
    return this.#positions.get(shard) ?? 0;
  }

  /** Rebuilds the counters. A request that crashes is repeated. */
  async #rebuild(): Promise<void> {
    const { clock, chance } = this.#account;
    for (;;) {
      const environment = new Environment(this.#account, 'rebuild');
      const progress = await Promise.race([
        rebuildCounters(
          this.#rebuildDependencies(environment),
          environment.clock.now() + requestLimit,
        ).catch(() => undefined),
        environment.died.then(() => undefined),
        // The caller times out while the request continues.
        clock.sleep(chance.whole(requestLimit, 60_000)).then(() => undefined),
      ]);
      if (progress?.step === 'done') return;
    }
  }

  #rebuildDependencies(environment: Environment): RebuildCountersDependencies {
    const { sabotage } = this.#account;
    const { clock } = environment;
    const client = dynamoDbClientOf(this.#account, environment);
    const intact: RebuildCountersDependencies = {
      states: new DynamoDbCounterStates(client, 'counters'),
      scanner: new DynamoDbRowScanner(
        dynamoDbClientOf(this.#instances, environment),
        'instances',
        this.#account.chance.pick([3, 250]),
      ),
      pages: new DynamoDbRowPages(client, 'counters', clock),
      markers: new DynamoDbMarkers(client, 'counters', clock),
      counters: new DynamoDbCounterStore(client, 'counters', clock),
      obsolete: new DynamoDbObsoleteCounters(client, 'counters'),
      clock,
      logLost: () => undefined,
    };
    return { ...intact, ...sabotage.rebuild?.(intact) };
  }

  #startFunction(environment: Environment) {
    const { sabotage, count } = this.#account;
    const { clock } = environment;
    const client = dynamoDbClientOf(this.#account, environment);
    const used = sabotage.counters?.(client) ?? client;
    const states = new DynamoDbCounterStates(used, 'counters');
    const intact: CounterDependencies = {
      readGenerations: async () => (await states.read()).state,
      counters: new DynamoDbCounterStore(used, 'counters', clock),
      markers: new DynamoDbMarkers(used, 'counters', clock),
      logRetry: () => count('batches of row changes to redeliver'),
      logLost: () => count('counters that could not be updated'),
    };
    const dependencies = { ...intact, ...sabotage.counting?.(intact) };
    return ({ shard, records }: Batch) =>
      countChanges(
        dependencies,
        shard,
        sabotage.rows?.(streamedRows(records)) ?? streamedRows(records),
      );
  }
}
