import { Problem } from '../../../src/api/http/problem.ts';
import { forget } from '../../../src/api/instances/forget.ts';
import { DynamoDbParkingStore } from '../../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../../../src/aws/functions/lambda-model-invoker.ts';
import { DynamoDbInstanceStore } from '../../../src/aws/instances/dynamodb-instance-store.ts';
import { instanceOf } from '../../../src/aws/instances/instance-keys.ts';
import { Chance } from '../../../src/common/chance.ts';
import { SealingStore } from '../../../src/model-runtime/sealing/sealing-store.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { dataKeysIn } from '../data-keys.ts';
import { dynamoDbClientOf } from '../dynamodb-client.ts';
import { apiTimeout, Environment } from '../environment.ts';
import type { Account, Lambdas } from '../lambdas.ts';
import type { Producer } from '../producer.ts';

/** How long processes may use a destroyed data key, in milliseconds. */
export const keyLifetime = 60_000;

/**
 * A deployment that marks the personal data of the models, and an operator who erases the personal data of instances
 * while events arrive. They draw separate random numbers so that the other parts of a run do not depend on them.
 */
export class Erasing {
  readonly findings: string[] = [];
  readonly #account: Account;
  readonly #chance: Chance;
  readonly #producer: Producer;
  /** How long the models do not mark their personal data, in milliseconds. */
  readonly #unmarkedMs: number;

  constructor(account: Account, producer: Producer, seed: number) {
    this.#producer = producer;
    const { clock, database, erasing, log, sealed } = account;
    this.#account = account;
    this.#chance = new Chance(seed + 11e9);
    this.#unmarkedMs = erasing ? this.#chance.pick([0, 0, 5_000, 30_000]) : 0;
    if (sealed && this.#unmarkedMs === 0) log.markedAt = 0;
    database.listen('keys', (before, after) => {
      if (after?.forgottenAt && !before?.forgottenAt)
        log.erasures.set(after.pk!.S!, { destroyedAt: clock.now(), searched: new Set() });
    });
  }

  async trouble(lambdas: Lambdas): Promise<void> {
    const { clock, erasing } = this.#account;
    if (!erasing) return;
    await Promise.all([
      this.#mark(lambdas),
      this.#often(3, 60_000, () => this.#eraseOne(lambdas)),
      this.#often(4, 60_000, () => this.#eraseOne(lambdas)),
    ]);
    const reading = this.#read();
    // Apply events before and after the processes stop using destroyed keys.
    await this.#often(30, 3 * keyLifetime, async () => {
      this.#producer.send();
      await clock.sleep(this.#chance.whole(0, 1_000));
      if (this.#chance.happens(0.3)) this.#rebuild();
    });
    await reading;
  }

  async #often(most: number, within: number, act: () => Promise<void>): Promise<void> {
    for (let n = this.#chance.whole(1, most); n > 0; n--) {
      await this.#account.clock.sleep(this.#chance.whole(0, (2 * within) / most));
      await act();
    }
  }

  /** Deploys models that mark their personal data. */
  async #mark(lambdas: Lambdas): Promise<void> {
    const { clock, count, log, registry } = this.#account;
    await clock.sleep(this.#unmarkedMs);
    if (log.markedAt !== undefined) return;
    count('deployments that mark personal data');
    lambdas.deployModels();
    log.markedAt = clock.now();
    for (const model of log.registered.keys())
      registry.register(registryEntry(model, { sensitive: true }));
  }

  /** Repeats all erasures, because a failure can have interrupted the searches for plain text. */
  async repeat(lambdas: Lambdas): Promise<void> {
    for (const name of this.#account.log.erasures.keys()) await this.#erase(lambdas, name);
  }

  /** Requests a rebuild of an erased instance. */
  #rebuild(): void {
    const names = [...this.#account.log.erasures.keys()];
    if (names.length > 0) this.#producer.rebuild(instanceOf(this.#chance.pick(names)), false);
  }

  /** Erases the personal data of a random instance. */
  async #eraseOne(lambdas: Lambdas): Promise<void> {
    const { count, database } = this.#account;
    const items = database.items('instances');
    const names = new Set(items.map(({ pk }) => pk!.S!).filter((name) => !name.startsWith('#')));
    if (names.size === 0) return;
    count('erasures of personal data');
    await this.#erase(lambdas, this.#chance.pick([...names]));
  }

  /** Erases the personal data of an instance. Repeats a failed request a few times. */
  async #erase(lambdas: Lambdas, name: string): Promise<void> {
    const { clock } = this.#account;
    for (let attempt = 0; attempt < 5; attempt++) {
      const environment = new Environment(this.#account, 'api');
      const status = await Promise.race([
        this.#eraseBy(environment, lambdas, name),
        environment.died.then(() => 0),
        clock.sleep(apiTimeout).then(() => 0),
      ]);
      if (status === 200 || status === 404) return;
      await clock.sleep(1_000);
    }
  }

  /** Sends requests to the API until the whole history is searched, and returns the status of the last response. */
  async #eraseBy(environment: Environment, lambdas: Lambdas, name: string): Promise<number> {
    const { database, log, registry } = this.#account;
    const { clock } = environment;
    const client = dynamoDbClientOf(this.#account, environment);
    const functions = new LambdaModelInvoker(lambdas.clientOf(environment));
    const dependencies = {
      instances: this.#storeIn(environment),
      parking: new DynamoDbParkingStore(client, 'instances', clock),
      dataKeys: dataKeysIn(this.#account, environment),
      models: registry,
      forgetter: functions,
      links: undefined,
    };
    const versions = database
      .items('instances', name)
      .flatMap(({ sk }) => (sk!.S!.startsWith('COMMIT#') ? Number(sk!.S!.slice(7)) : []));
    // A model without sensitive fields finds nothing to erase, so its commits are not counted as searched. Such a model
    // is still invoked if an earlier request destroyed the data key before the model was registered.
    const isMarked = log.markedAt !== undefined;
    try {
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
        const query: Record<string, string> = cursor === undefined ? {} : { cursor };
        const answer = await forget(dependencies, instanceOf(name), query);
        const erasure = log.erasures.get(name);
        if (!erasure) this.findings.push(`${name} is reported as erased, but still has its key`);
        cursor = 'cursor' in answer ? answer.cursor : undefined;
        if (cursor === undefined && isMarked && answer.rewritten !== null)
          for (const version of versions) erasure?.searched.add(version);
      }
      return 200;
    } catch (error) {
      return error instanceof Problem ? error.status : 500;
    }
  }

  /** Reads erased instances with a process that may have their data keys in memory. */
  async #read(): Promise<void> {
    const { clock, log } = this.#account;
    let environment = new Environment(this.#account, 'reader');
    let store = this.#storeIn(environment);
    for (let n = 0; n < 20; n++) {
      await clock.sleep(this.#chance.whole(0, 10_000));
      if (!environment.alive) {
        environment = new Environment(this.#account, 'reader');
        store = this.#storeIn(environment);
      }
      for (const [name, { destroyedAt, searched }] of log.erasures) {
        const startedAt = clock.now();
        const [found] = await Promise.race([
          store.readConsistent([instanceOf(name)]),
          environment.died.then(() => []),
        ]);
        const commit = found && 'value' in found ? found.value.commit : undefined;
        const { secret } = JSON.parse(commit?.state ?? '{}') as { secret?: string | null };
        // Until a search replaces it, older personal data remains in plain text.
        const isSealed = commit && (this.#unmarkedMs === 0 || searched.has(commit.version));
        if (startedAt > destroyedAt + keyLifetime && isSealed && secret)
          this.findings.push(
            `${name} can be read ${clock.now() - destroyedAt} ms after its erasure`,
          );
      }
    }
  }

  #storeIn(environment: Environment): SealingStore {
    const client = dynamoDbClientOf(this.#account, environment);
    const store = new DynamoDbInstanceStore(client, 'instances', environment.clock);
    return new SealingStore(store, dataKeysIn(this.#account, environment)!);
  }
}
