import { createHash } from 'node:crypto';
import { DynamoDbDeadLetterStore } from '../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { instanceOf } from '../../src/aws/instances/instance-keys.ts';
import { withoutItem } from '../../src/aws/instances/partition-counts.ts';
import { Chance } from '../../src/common/chance.ts';
import { instanceIndexes } from '../support/aws-in-memory/instances-in-memory.ts';
import { LaggingReplica } from '../support/aws-in-memory/lagging-replica.ts';
import { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { registryEntry } from '../support/models/registry-entry.ts';
import { auditCounts } from './audit/counts.ts';
import { auditKeyIndex } from './audit/key-index.ts';
import { digestOf, recordDigest } from './audit/outcomes.ts';
import { auditDataKeys } from './audit/personal-data.ts';
import { auditStatusesInUse } from './audit/statuses-in-use.ts';
import { audit } from './auditor.ts';
import { Counting } from './counting/counting.ts';
import { keysTable } from './data-keys.ts';
import { Deployments } from './deployments/deployments.ts';
import type { Surroundings } from './environment.ts';
import { Growing, possibleCounts } from './growth/growing.ts';
import { Inlet } from './inlet.ts';
import { type Account, Lambdas } from './lambdas.ts';
import type { RunLog } from './log.ts';
import { ringAround } from './macs.ts';
import { boundsOf, floodRate, neighbors } from './neighbors.ts';
import { Network } from './network.ts';
import { Operator } from './operator.ts';
import { Erasing } from './personal-data/erasing.ts';
import { Producer } from './producer.ts';
import { Publisher } from './publisher.ts';
import { Reader } from './reader.ts';
import { hasNoFault, type Sabotage } from './sabotage.ts';
import { type Nuisance, scenarioOf } from './scenario.ts';
import { SimulatedStream } from './stream.ts';
import { calm, drawWeather, type Weather } from './weather.ts';

const start = Date.UTC(2026, 0, 1);
/** The maximum time to process the remaining records after the last failure, in milliseconds. */
const patience = 60 * 60 * 1000;

/** All parts of a run. */
export class World {
  readonly clock = new ManualClock(start);
  readonly counts = new Map<string, number>();
  readonly #chance: Chance;
  readonly #account: Account;
  readonly #stream: SimulatedStream;
  readonly #producer: Producer;
  readonly #lambdas: Lambdas;
  readonly #publisher: Publisher;
  readonly #counting: Counting;
  readonly #growing: Growing;
  readonly #erasing: Erasing;
  readonly #reader: Reader;
  readonly #letters: DynamoDbDeadLetterStore;
  /** Undefined in runs with a deliberate fault so that the seeds that reveal faults stay the same. */
  readonly #operator: Operator | undefined;

  constructor(seed: number, sabotage: Sabotage, trace: (line: string) => void) {
    const chance = new Chance(seed);
    this.#chance = chance;
    const { clock } = this;
    const scenario = scenarioOf(seed, sabotage, start);
    const weather: Weather = {
      ...drawWeather(chance),
      hollow: scenario.hollow,
      ...sabotage.weather,
    };
    const count = (what: string) => this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
    const { outages, timed } = scenario;
    const network = new Network({ chance, weather, outages, clock, count });
    const around: Surroundings = {
      ...{ chance, weather, network, timed, clock },
      trace: (line) => trace(`${this.clock.now() - start} ${line}`),
      count,
    };
    if (outages.some) around.trace(`outages: ${outages.toString()}`);
    const isIntact = hasNoFault(sabotage);
    // In a run with a deliberate fault, the number of index partitions grows only if this reveals the fault so that the
    // seeds that reveal other faults stay the same.
    const growing = (seed % 20 === 9 && isIntact) || sabotage.growing !== undefined;
    const log: RunLog = {
      puts: [],
      streamed: [],
      notifications: [],
      foreign: [],
      setAside: [],
      registered: new Map(),
      putAgain: new Set(),
      failures: new Map(),
      timed,
      overlapped: false,
      strays: new Set(),
      deleted: new Set(),
      timeouts: [],
      sealed: scenario.sealed,
      dataKeys: new Map(),
      erasures: new Map(),
      markedAt: undefined,
      isolation: scenario.nuisance && {
        neighbors,
        bounds: boundsOf(scenario.nuisance, scenario.modelTimeout),
      },
      keyed: chance.happens(0.7) || scenario.nuisance !== undefined,
      partitionCounts: growing ? possibleCounts : [withoutItem.count],
      redriven: false,
      auditedAt: 0,
    };
    const minimumPageSize = scenario.nuisance ? 500 : 1;
    this.#stream = new SimulatedStream(this.clock, chance, minimumPageSize);
    // Runs with a deliberate fault have no long queue by default so that the seeds that reveal faults stay the same.
    const longQueue = sabotage.longQueue !== undefined || (isIntact && seed % 25 === 1);
    const tables = { instances: { indexes: instanceIndexes }, letters: {}, ...keysTable };
    const database = new MemoryDynamoDb(tables);
    const replicaChance = new Chance(seed + 5e9);
    this.#account = {
      ...around,
      ...scenario,
      log,
      inlet: new Inlet(around, this.#stream, log, scenario.backlogMs),
      database,
      replicated:
        scenario.replicaLagMs === 0
          ? database
          : new LaggingReplica({
              database,
              tables,
              clock,
              isOld: () => replicaChance.happens(0.5),
              lagMs: scenario.replicaLagMs,
            }),
      registry: new ModelRegistryInMemory(),
      sabotage,
      limits: sabotage.limits ?? (seed % 3 === 1 && isIntact),
      flood: chance.happens(0.02) || sabotage.flood === true || longQueue,
      longQueue,
      // By default, runs with a deliberate fault lack these features, so the seeds that reveal faults stay the same.
      together: seed % 3 === 0 && isIntact,
      deadlinesFrom:
        (seed % 5 === 4 && isIntact) || sabotage.deadlines === true ? start : undefined,
      forgeries: (seed % 4 === 0 && isIntact) || sabotage.forgeries === true,
      keyRing: ringAround(start),
      growing,
      deployments: undefined,
      mended: false,
    };
    this.#producer = new Producer(this.#account);
    this.#erasing = new Erasing(this.#account, this.#producer, seed);
    // By default, runs with a deliberate fault have no deployments so that the seeds that reveal faults stay the same.
    // The failures of a run with deployments can last longer than half an hour. In a backlog, events that AWS rejects
    // for so long are parked.
    const { backlogMs, bulky, sealed } = scenario;
    const hasDeployments =
      (seed % 5 === 3 && isIntact && !bulky && !sealed && backlogMs === 0) ||
      sabotage.deployments !== undefined;
    if (hasDeployments) {
      this.#account.deployments = new Deployments(this.#account, seed);
      log.registered.set('tally', start);
    } else this.#register('tally');
    this.#letters = new DynamoDbDeadLetterStore(database.dynamoDb, 'letters', this.clock);
    if (isIntact) this.#operator = new Operator(this.#account, this.#producer, seed);
    this.#publisher = new Publisher(this.#account, seed);
    this.#counting = new Counting(this.#account, seed);
    this.#growing = new Growing(this.#account, seed);
    this.#lambdas = new Lambdas(this.#account, this.#publisher, seed);
    this.#reader = new Reader(this.#account, this.#stream, this.#lambdas);
    void this.#lambdas.clock.run();
  }

  /** Sends random events while any failure can occur. Resolves when the last outage is over. */
  async trouble(): Promise<void> {
    const chance = this.#chance;
    const { bulky, flood, growing, longQueue, nuisance, sabotage } = this.#account;
    if (growing) await this.#growing.begin();
    if (nuisance) return this.#bother(nuisance);
    if (longQueue || bulky) await this.#parkOne();
    if (bulky) this.#producer.sendBulky();
    if (flood) this.#producer.flood(sabotage.longQueue ?? chance.whole(1_000, 2_500));
    const { busyCounters } = sabotage;
    const events = busyCounters ? 60 : chance.pick([3, 20, 60]);
    const longest = busyCounters ? 1_000 : chance.pick([10, 300, 2_000]);
    await Promise.all([
      this.#often(events, longest, () => this.#producer.send()),
      this.#often(chance.whole(0, 5), 10_000, () => this.#disturb()),
      this.#often(chance.whole(0, 4), 10_000, () => this.#operate()),
      this.#publisher.trouble(),
      this.#counting.trouble(),
      this.#operator?.trouble(),
      this.#erasing.trouble(this.#lambdas),
      this.#account.deployments?.trouble(() => this.#producer.send()),
    ]);
    if (growing) await this.#growing.trouble(() => this.#producer.send());
    await this.#endureOutages();
    // Redrive the queue only in some runs so that it is still long at the time of the audit in the others.
    if (longQueue && chance.happens(0.5)) await this.#redriveInTrouble();
    // Rewind the stream, which redelivers records from thousands of events ago.
    if (flood && !longQueue) this.#reader.rewind();
  }

  /** Simulates an instance that causes problems for its neighbors, without other failures. */
  async #bother(nuisance: Nuisance): Promise<void> {
    calm(this.#account.weather);
    this.#account.count(`nuisances: ${nuisance}`);
    const { pause, times } = floodRate(nuisance);
    const trouble = this.#chance.whole(1, 5);
    for (let n = 0; n < times; n++) {
      // Send these events before those of the neighbors: later events of the same batch show that AWS works.
      if (n === trouble) this.#producer.bother(nuisance);
      for (const neighbor of neighbors) this.#producer.sendOf(neighbor);
      await this.clock.sleep(pause);
    }
  }

  /** Sends events until the last outage is over. */
  async #endureOutages(): Promise<void> {
    const { outages } = this.#account;
    while (this.clock.now() < outages.end) {
      await this.clock.sleep(this.#chance.whole(1_000, 60_000));
      this.#producer.send();
    }
  }

  /** Parks an event so that later events of its instance are queued behind it. */
  async #parkOne(): Promise<void> {
    this.#producer.sendFaulty();
    const isParked = () =>
      this.#account.database.items('instances').some(({ sk }) => sk!.S!.startsWith('PARKED#'));
    for (let seconds = 0; seconds < 60 && !isParked(); seconds++) await this.clock.sleep(1_000);
  }

  /** Parks the events of the flooded instance and then redrives them, while calls are slow and fail. */
  async #redriveInTrouble(): Promise<void> {
    const { weather } = this.#account;
    const trouble = { ...weather, longest: 2_000 };
    calm(weather);
    await this.#reader.idle();
    Object.assign(weather, trouble);
    this.#account.mended = true;
    this.#redriveParked();
    await this.clock.sleep(this.#chance.whole(0, 60_000));
  }

  /** Ends all failures and processes every record on the stream. Resolves with false if the time limit is exceeded. */
  drained(): Promise<boolean> {
    calm(this.#account.weather);
    const done = this.#settled();
    const longest = this.clock.sleep(patience).then(() => false);
    return this.clock.runUntil(Promise.race([done.then(() => true), longest]));
  }

  /** Fixes the models and the bus, and redrives parked events and records that had no model. */
  async redriven(): Promise<void> {
    this.#account.mended = true;
    this.#register('late');
    await this.#redriveLetters();
    this.#redriveParked();
    this.#publisher.redrive();
    await this.drained();
    await this.clock.runUntil(this.#erasing.repeat(this.#lambdas));
    this.#account.log.redriven = true;
    await this.clock.runUntil(this.#reader.stop());
    await this.clock.runUntil(this.#publisher.stop());
    this.#counting.stop();
  }

  async audited(when: string): Promise<string[]> {
    const { database, log } = this.#account;
    log.auditedAt = this.clock.now();
    log.setAside = this.#publisher.setAside();
    const { limits } = this.#account;
    const findings = [
      ...audit(database.items('instances'), database.items('letters'), log),
      ...auditDataKeys(database.items('keys'), log),
      ...auditCounts(database.items('instances'), this.#counting.items()),
      ...auditStatusesInUse(database.items('instances')),
      ...this.#growing.findings,
      ...this.#erasing.findings,
      ...((await this.#account.deployments?.audit()) ?? []),
      ...(limits ? auditKeyIndex(database.items('instances')) : []),
    ];
    return findings.map((finding) => `${when}: ${finding}`);
  }

  digest(): string {
    const { database } = this.#account;
    const tables = [database.items('instances'), database.items('letters')];
    return createHash('sha256').update(JSON.stringify(tables)).digest('hex');
  }

  /**
   * Resolves when every record on the stream is processed, and no timer is due and no instance becomes late within
   * `patience`.
   */
  async #settled(): Promise<void> {
    const { puts } = this.#account.log;
    for (let next: number | undefined = 0; next !== undefined; ) {
      const before = puts.length;
      await this.#reader.idle();
      await this.#lambdas.idle();
      await this.#publisher.idle();
      await this.#counting.idle();
      await this.#account.deployments?.idle();
      await this.#account.network.settled();
      next = puts.length > before ? 0 : this.#nextDue();
      if (next) await this.clock.sleep(Math.max(next - this.clock.now(), 5_000));
    }
  }

  /**
   * Returns when the next timer can fire or the next instance becomes late, in milliseconds since 1970; undefined if
   * neither happens within `patience`.
   */
  #nextDue(): number | undefined {
    const items = this.#account.database.items('instances');
    const due = items
      .filter(({ sk }) => sk?.S === 'STATUS')
      .flatMap(({ dueAt, lateAt, late, parked }) => [
        ...((parked?.N ?? '0') === '0' ? [dueAt] : []),
        ...(late ? [] : [lateAt]),
      ])
      .flatMap((moment) => (moment ? Date.parse(moment.S!) : []))
      .filter((at) => at < this.clock.now() + patience);
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  async #often(times: number, longest: number, act: () => void | Promise<void>): Promise<void> {
    for (let i = 0; i < times; i++) {
      await this.clock.sleep(this.#chance.whole(0, longest));
      await act();
    }
  }

  #disturb(): void {
    const acts: [string, () => void][] = [
      ['shards split', () => this.#stream.split()],
      ['shards merged', () => this.#stream.merge()],
      ['event source crashes', () => this.#reader.crash()],
      ['event source crashes', () => this.#reader.crash()],
      ['lost checkpoints', () => this.#reader.rewind()],
    ];
    const [what, act] = this.#chance.pick(acts);
    this.#account.count(what);
    this.#account.trace(what);
    act();
  }

  async #operate(): Promise<void> {
    const acts: [string, () => void | Promise<void>][] = [
      ['models fixed', () => void (this.#account.mended = true)],
      ['models registered late', () => this.#register('late')],
      ['redrives of dead letters', () => this.#redriveLetters()],
      ['redrives of parked events', () => this.#redriveParked()],
      ['redrives of parked events', () => this.#redriveParked()],
    ];
    const [what, act] = this.#chance.pick(acts);
    this.#account.count(what);
    this.#account.trace(what);
    await act();
  }

  #register(model: string): void {
    const { registry, log } = this.#account;
    if (log.registered.has(model)) return;
    registry.register(registryEntry(model, { sensitive: log.markedAt !== undefined }));
    if (this.#account.timed) void this.#lag(model);
    log.registered.set(model, this.clock.now());
  }

  /** Hides a new model from eventually consistent reads of the registry for three seconds. */
  async #lag(model: string): Promise<void> {
    const { lagging } = this.#account.registry;
    lagging.add(model);
    await this.clock.sleep(3_000);
    lagging.delete(model);
  }

  #redriveParked(): void {
    const items = this.#account.database.items('instances');
    const parked = items.filter(({ sk }) => sk!.S!.startsWith('PARKED#'));
    for (const name of new Set(parked.map(({ pk }) => pk!.S!)))
      this.#producer.redrive(instanceOf(name));
  }

  /** Puts records whose model was not registered on the stream again. */
  async #redriveLetters(): Promise<void> {
    const { log } = this.#account;
    const { items } = await this.#letters.list({ limit: 1_000 });
    for (const { id, modelId, parked } of items.toReversed()) {
      if (parked || modelId !== 'late' || log.putAgain.has(id)) continue;
      const put = log.puts.find((each) => recordDigest(each) === digestOf(id))!;
      log.putAgain.add(id);
      this.#producer.putAgain(put);
      await this.#letters.remove(id);
    }
  }
}
