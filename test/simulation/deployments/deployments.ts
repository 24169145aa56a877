import { marshall } from '@aws-sdk/util-dynamodb';
import { rollBack } from '../../../src/api/registry/roll-back.ts';
import { LambdaModelInvoker } from '../../../src/aws/functions/lambda-model-invoker.ts';
import { DynamoDbModelRegistry } from '../../../src/aws/registry/dynamodb-model-registry.ts';
import { versionsId } from '../../../src/aws/registry/versions-item.ts';
import { Chance } from '../../../src/common/chance.ts';
import { maximumVersions } from '../../../src/core/model/model-version.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import type { ModelRegistry } from '../../../src/stores/model-registry.ts';
import { dynamoDbOf } from '../../support/aws-in-memory/dynamodb-of.ts';
import { LaggingReplica } from '../../support/aws-in-memory/lagging-replica.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { apiTimeout, Environment } from '../environment.ts';
import { timedOut } from '../lambda.ts';
import type { Account } from '../lambdas.ts';
import { modelVersions } from '../model.ts';
import { Network } from '../network.ts';
import { auditRegistry, type Rollback } from './audit-registry.ts';
import { arnOf, Functions } from './functions.ts';
import { describingClient, Registrar, registryClient } from './registrar.ts';
import { addedModel, Stack } from './stack.ts';

/**
 * Deployments of the models, and operators who roll back a model, while events arrive. It draws separate random numbers
 * so that runs without deployments do not depend on it.
 */
export class Deployments {
  readonly functions: Functions;
  /** The registry as dispatchers see it: eventually consistent reads can return old data. */
  readonly registry: ModelRegistry;
  readonly #account: Account;
  readonly #registrar: Registrar;
  readonly #stack: Stack;
  readonly #rollbacks: Rollback[] = [];

  constructor(shared: Account, seed: number) {
    const chance = new Chance(seed + 8e9);
    const { weather, outages, clock, count, registry, replicaLagMs } = shared;
    const network = new Network({ chance, weather, outages, clock, count });
    this.#account = { ...shared, chance, network };
    const { database } = registry;
    const replica = new LaggingReplica({
      database,
      tables: { registry: { key: { partition: 'id' } } },
      clock,
      isOld: () => replicaLagMs > 0 && chance.happens(0.5),
      lagMs: replicaLagMs,
    });
    this.registry = new DynamoDbModelRegistry(dynamoDbOf(replica), 'registry');
    this.functions = new Functions(registry, clock);
    this.#registrar = new Registrar(this.#account, this.functions);
    this.#stack = new Stack(this.#account, this.functions, this.#registrar, this.#begin());
  }

  /** Registers the first model with as many versions as the registry keeps so that deployments delete versions. */
  #begin() {
    const { clock, registry } = this.#account;
    const [sentAt, registeredAt] = [clock.now(), toIso(clock.now())];
    const code = { model: modelVersions[0], isValid: true };
    this.functions.update('tally', code);
    const numbers = Array.from({ length: maximumVersions }, () => this.functions.publish('tally'));
    const versions = numbers.toReversed().map((functionVersion) => ({
      functionVersion,
      version: code.model,
      functionArn: `${arnOf('tally')}:${functionVersion}`,
      registeredAt,
    }));
    const item = { id: versionsId('tally'), registeredAt, versions };
    registry.database.put('registry', marshall(item));
    const version = numbers.at(-1)!;
    registry.register(
      registryEntry('tally', { version: code.model, functionVersion: version, registeredAt }),
    );
    return { version, code, sentAt, doneAt: sentAt };
  }

  /** Deploys and rolls back several times. @param send sends an event; called until the last deployment is complete */
  async trouble(send: () => void): Promise<void> {
    const { chance, clock } = this.#account;
    let isDone = false;
    const deploying = Promise.all([this.#stack.trouble(), this.#operate()]).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await clock.sleep(chance.whole(1_000, 15_000));
      send();
    }
    await deploying;
  }

  async #operate(): Promise<void> {
    const { chance, clock } = this.#account;
    for (let n = chance.whole(0, 5); n > 0; n--) {
      await clock.sleep(chance.whole(0, 40_000));
      await this.#rollBack();
    }
  }

  /** Resolves when no request can still reach the registrar. */
  async idle(): Promise<void> {
    await this.#registrar.idle();
    await this.#account.network.settled();
  }

  async audit(): Promise<string[]> {
    const { registry } = this.#account;
    const [entries, listed] = [await registry.list(), await registry.versions('tally')];
    const listedOfAdded = await registry.versions(addedModel);
    const { functions } = this;
    return [
      ...functions.findings,
      ...auditRegistry(
        { entries, listed, listedOfAdded, functions, rollbacks: this.#rollbacks },
        this.#stack,
      ),
    ];
  }

  /** Rolls back the first model to one of its versions, often to the oldest. Repeats the request until its result is known. */
  async #rollBack(): Promise<void> {
    const { chance, clock, count, registry } = this.#account;
    const listed = await registry.versions('tally');
    const { functionVersion } = chance.happens(0.5) ? listed.at(-1)! : chance.pick(listed);
    for (let isKnown = false; !isKnown; ) {
      const rollback: Rollback = { functionVersion, from: clock.now(), result: undefined };
      this.#rollbacks.push(rollback);
      const environment = new Environment(this.#account, 'api');
      const result = await Promise.race([
        this.#request(environment, functionVersion).catch(() => undefined),
        environment.died.then(() => undefined),
        clock.sleep(apiTimeout).then(() => undefined),
      ]);
      if (!result && environment.alive) environment.die(timedOut);
      isKnown = result !== undefined && result.kind !== 'unavailable';
      if (isKnown) rollback.result = { isDone: result!.kind === 'current', at: clock.now() };
      count(`rollbacks by operators: ${result?.kind ?? 'unknown'}`);
      await clock.sleep(chance.whole(1_000, 20_000));
    }
  }

  #request(environment: Environment, functionVersion: string) {
    const client = registryClient(this.#account, environment);
    const models = new DynamoDbModelRegistry(client, 'registry');
    const describer = describingClient(this.#account, environment, this.functions);
    return rollBack(
      {
        models,
        versions: models,
        describer: new LambdaModelInvoker(describer),
        clock: environment.clock,
      },
      'tally',
      functionVersion,
    );
  }
}
