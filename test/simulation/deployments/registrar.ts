import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import type { Lambda as LambdaService } from '../../../src/aws/client/lambda.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { describeModel } from '../../../src/aws/registry/describe-model.ts';
import { DynamoDbRegistryWriter } from '../../../src/aws/registry/dynamodb-registry-writer.ts';
import { retry } from '../../../src/common/retry.ts';
import {
  type ModelResourceRequest,
  modelResourceHandler,
} from '../../../src/registrar/model-resource.ts';
import type { RegistrationResult } from '../../../src/registrar/register-model.ts';
import { type PublishedVersions, retireVersions } from '../../../src/registrar/retire-versions.ts';
import { dynamoDbOf } from '../../support/aws-in-memory/dynamodb-of.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import type { Environment } from '../environment.ts';
import { type Context, Lambda } from '../lambda.ts';
import type { Account } from '../lambdas.ts';
import { replaced } from '../tampering.ts';
import { type Functions, modelOf } from './functions.ts';

const second = 1_000;
const timeout = 120 * second;
// The reserves of `lambdas/registrar.ts`, in milliseconds.
const timeToAnswer = 15 * second;
const timeToEnd = 10 * second;
/** The delays before Lambda repeats a failed asynchronous invocation, in milliseconds. */
const repetitions = [60 * second, 120 * second];

/** A request that CloudFormation waits for, with the function that receives the response. */
export interface SentRequest extends ModelResourceRequest {
  readonly respond: (isDone: boolean) => void;
}

/**
 * The registrar's function, and the queue from which Lambda invokes it asynchronously: a request can arrive late or
 * twice, and it is repeated after a failure.
 */
export class Registrar {
  readonly #account: Account;
  readonly #functions: Functions;
  readonly #function: Lambda<SentRequest, void>;
  readonly #deliveries = new Set<Promise<void>>();

  /** @param account the account with the random numbers and the network of deployments. */
  constructor(account: Account, functions: Functions) {
    this.#account = account;
    this.#functions = functions;
    this.#function = new Lambda<SentRequest, void>(account, {
      name: 'registrar',
      timeout,
      start: (environment) => (request, context) => this.#handle(environment, request, context),
    });
  }

  send(request: SentRequest): void {
    const { chance, count } = this.#account;
    const isTwice = chance.happens(0.3);
    if (isTwice) count('requests to the registrar that Lambda delivers twice');
    for (const delay of isTwice ? [this.#delay(), this.#delay()] : [this.#delay()]) {
      const delivery = this.#deliver(request, delay);
      this.#deliveries.add(delivery);
      void delivery.finally(() => this.#deliveries.delete(delivery));
    }
  }

  /** Resolves when no request can still be delivered. */
  async idle(): Promise<void> {
    while (this.#deliveries.size > 0) await Promise.all(this.#deliveries);
  }

  #delay(): number {
    const { chance } = this.#account;
    return chance.pick([0, 0, 0, chance.whole(0, 20 * second), chance.whole(0, 200 * second)]);
  }

  async #deliver(request: SentRequest, delay: number): Promise<void> {
    const { clock, count } = this.#account;
    await clock.sleep(delay);
    for (const pause of [...repetitions, undefined]) {
      const ended = await this.#function.invoke(request);
      if ('answer' in ended || pause === undefined) return;
      count('requests to the registrar that Lambda repeats');
      await clock.sleep(pause);
    }
  }

  /** Handles a request in the same way as `lambdas/registrar.ts`. */
  async #handle(environment: Environment, request: SentRequest, context: Context): Promise<void> {
    const { clock } = environment;
    const { deployments } = this.#account.sabotage;
    const writer = new DynamoDbRegistryWriter(
      registryClient(this.#account, environment),
      'registry',
    );
    const dependencies = {
      describeModel: describeModel(
        describingClient(this.#account, environment, this.#functions),
        clock,
      ),
      registry: replaced(writer, deployments?.registry?.(writer) ?? {}),
      partitions: { begin: () => Promise.resolve() },
      clock,
    };
    let registered: RegistrationResult | undefined;
    const work = modelResourceHandler(dependencies, (made) => (registered = made));
    const aborted = new AbortController();
    const late = clock.sleep(context.getRemainingTimeInMillis() - timeToAnswer).then(() => {
      aborted.abort();
      return false;
    });
    const isDone = await Promise.race([
      work(request, aborted.signal).then(
        () => true,
        () => false,
      ),
      late,
    ]);
    const respond = () =>
      environment.call(() => `respond ${isDone}`, {
        service: 's3',
        effect: () => Promise.resolve(request.respond(isDone)),
      });
    await retry(respond, { attempts: 4, pauseAfter: () => second, clock });
    if (!registered || context.getRemainingTimeInMillis() < timeToEnd) return;
    const result = deployments?.retiring?.(registered) ?? registered;
    await retireVersions(this.#versionsIn(environment), result, () => undefined);
  }

  #versionsIn(environment: Environment): PublishedVersions {
    const call = <Value>(what: string, effect: () => Value) =>
      environment.call(() => what, {
        service: 'lambda',
        effect: () => Promise.resolve(effect()),
      });
    const functions = this.#functions;
    return {
      list: (functionArn) => call('ListVersions', () => functions.list(functionArn)),
      delete: (functionArn, number) =>
        call(`DeleteFunction ${number}`, () => functions.delete(functionArn, number)),
    };
  }
}

/** Creates a process's client for the registry table. */
export const registryClient = (
  { registry: { database } }: Account,
  environment: Environment,
): DynamoDb =>
  dynamoDbOf({
    send: (command) =>
      environment.call(() => `${command.constructor.name} in the registry`, {
        service: 'dynamodb',
        effect: () => database.send(command),
      }),
  });

/** Creates a process's Lambda client, which only asks models for their descriptions. */
export function describingClient(
  { log }: Account,
  environment: Environment,
  functions: Functions,
): LambdaService {
  const describe = async (functionArn: string) => {
    await Promise.resolve();
    const code = functions.codeOf(functionArn);
    if (!code) throw new ServiceError('ResourceNotFoundException', 'no such function', 404);
    const id = code.isValid ? modelOf(functionArn) : 'another';
    const sensitive = log.markedAt !== undefined;
    return { payload: JSON.stringify(registryEntry(id, { version: code.model, sensitive })) };
  };
  return {
    invoke: (functionArn) =>
      environment.call(() => `describe ${functionArn}`, {
        service: 'lambda',
        effect: () => describe(functionArn),
      }),
  };
}
