import type { KinesisStreamEvent } from 'aws-lambda';
import type { Lambda as LambdaService } from '../../src/aws/client/lambda.ts';
import { DynamoDbDeadLetterStore } from '../../src/aws/dynamodb-dead-letter-store.ts';
import { DynamoDbInstanceStore } from '../../src/aws/dynamodb-instance-store.ts';
import { DynamoDbParkingStore } from '../../src/aws/dynamodb-parking-store.ts';
import { DynamoDbStatusRows } from '../../src/aws/dynamodb-status-rows.ts';
import { KinesisEventStream } from '../../src/aws/kinesis-event-stream.ts';
import { LambdaModelInvoker } from '../../src/aws/lambda-model-invoker.ts';
import type { InvokeResult } from '../../src/local/event-source/ports.ts';
import { type DispatchEnvironment, dispatch } from '../../src/service/dispatch.ts';
import { toStreamRecord } from '../../src/service/kinesis-event.ts';
import { answerModelRequest } from '../../src/service/model-handler.ts';
import { NotificationStream } from '../../src/service/notification-stream.ts';
import type { TransitionRequest } from '../../src/service/protocol.ts';
import { RegistryCache } from '../../src/service/registry-cache.ts';
import { SignedStream } from '../../src/service/signing/signed-stream.ts';
import type { TailEnvironment } from '../../src/service/tail.ts';
import type { MemoryDynamoDb } from '../support/memory-dynamodb.ts';
import type { MemoryModelRegistry } from '../support/memory-model-registry.ts';
import { dynamoDbClientOf } from './dynamodb-client.ts';
import type { Environment, Surroundings } from './environment.ts';
import type { Inlet } from './inlet.ts';
import { isBroken } from './is-broken.ts';
import { Lambda } from './lambda.ts';
import { nameOf, type RunLog } from './log.ts';
import { macsIn } from './macs.ts';
import { type Fails, tally } from './model.ts';
import { kinesisClientOf } from './outlets.ts';
import type { Publisher } from './publisher.ts';
import type { DispatchBatch, Sabotage } from './sabotage.ts';
import { Timekeeper } from './timekeeper.ts';

/** What the Lambdas of a run work with. */
export interface Account extends Surroundings {
  readonly database: MemoryDynamoDb;
  readonly registry: MemoryModelRegistry;
  readonly log: RunLog;
  readonly inlet: Inlet;
  readonly sabotage: Sabotage;
  /** One instance gets thousands of events. */
  readonly flood: boolean;
  /** The model fails on the first of them, so that the others are parked. */
  readonly longQueue: boolean;
  /** Some events come together in a record. */
  readonly together: boolean;
  /** There are giant transaction ids, keys, and commits that DynamoDB refuses for good. */
  readonly limits: boolean;
  /** Some producers forge events of Milepost's own. */
  readonly forgeries: boolean;
  /** The value of the secret with the signing keys. */
  readonly keyRing: string;
  /** False until the models are mended. */
  mended: boolean;
}

/** The dispatcher, the models' functions and the clock, on an account's tables. */
export class Lambdas {
  readonly #account: Account;
  readonly #publisher: Publisher;
  readonly #dispatcher: Lambda<KinesisStreamEvent, unknown>;
  readonly #model: Lambda<{ model: string; request: TransitionRequest }, unknown>;
  readonly clock: Timekeeper;

  constructor(account: Account, publisher: Publisher) {
    this.#account = account;
    this.#publisher = publisher;
    this.#dispatcher = new Lambda(account, 'dispatcher', (environment) =>
      this.#startDispatcher(environment),
    );
    this.#model = new Lambda(account, 'model', (environment) => this.#startModel(environment));
    this.clock = new Timekeeper(account);
  }

  /** What the event source invokes. */
  readonly dispatch = async (event: KinesisStreamEvent): Promise<InvokeResult> => {
    const { chance, clock, count, trace, weather } = this.#account;
    if (chance.happens(weather.refused)) return { kind: 'throttled', message: 'throttled' };
    trace(`batch of ${event.Records.map(({ eventID }) => eventID).join(' ')}`);
    const invocation = this.#dispatcher.invoke(event);
    if (chance.happens(weather.abandoned)) {
      count('dispatchers given up on');
      await clock.sleep(chance.whole(1, 2 * weather.longest));
      return { kind: 'unavailable', message: 'no answer in time' };
    }
    const ended = await invocation;
    return 'failed' in ended
      ? { kind: 'functionError', functionError: 'Unhandled', message: ended.failed }
      : { kind: 'ok', response: ended.answer };
  };

  /** Resolves when no function runs any more. */
  async idle(): Promise<void> {
    for (const { running } of [this.clock, this.#dispatcher, this.#model])
      while (running.size > 0) await Promise.all(running);
  }

  #startDispatcher(environment: Environment) {
    const { registry, sabotage, count } = this.#account;
    const { clock } = environment;
    const macs = macsIn(this.#account, environment);
    const client = dynamoDbClientOf(this.#account, environment);
    const intact: DispatchEnvironment = {
      registry: new RegistryCache(
        {
          get: (id) =>
            environment.call(
              () => 'registry',
              () => registry.get(id),
            ),
          getConsistent: (id) =>
            environment.call(
              () => 'registry',
              () => registry.getConsistent(id),
            ),
          list: () =>
            environment.call(
              () => 'registry',
              () => registry.list(),
            ),
        },
        clock,
      ),
      deadLetters: new DynamoDbDeadLetterStore(client, 'letters', clock),
      parking: new DynamoDbParkingStore(client, 'instances', clock),
      models: new LambdaModelInvoker(this.#lambdaClientOf(environment)),
      stream: new SignedStream(
        new KinesisEventStream(
          kinesisClientOf(this.#account, environment, 'dispatcher'),
          'events',
          clock,
        ),
        macs,
      ),
      retry: { attempts: 3, backoff: 200 },
      clock,
      macs,
      log: {
        deadLetters: () => count('batches with dead letters'),
        parked: () => count('batches with parked events'),
        failures: () => count('batches with records to deliver again'),
      },
    };
    const used = sabotage.dispatcher?.(intact) ?? intact;
    const all: DispatchBatch = (records) => dispatch(used, records);
    const run = sabotage.dispatch?.(all) ?? all;
    return async (event: KinesisStreamEvent) => {
      const failed = await run(event.Records.map(toStreamRecord));
      return {
        batchItemFailures: failed.map(({ position }) => ({ itemIdentifier: position.sequence })),
      };
    };
  }

  #startModel(environment: Environment) {
    const { sabotage } = this.#account;
    const { clock } = environment;
    const rows = new DynamoDbStatusRows(dynamoDbClientOf(this.#account, environment), 'instances');
    const intact: TailEnvironment = {
      store: new DynamoDbInstanceStore(dynamoDbClientOf(this.#account, environment), 'instances'),
      stream: new SignedStream(
        new KinesisEventStream(
          kinesisClientOf(this.#account, environment, 'instance'),
          'events',
          clock,
        ),
        macsIn(this.#account, environment),
      ),
      notifier: new NotificationStream(
        new KinesisEventStream(
          this.#publisher.clientOf(this.#account, environment),
          'notifications',
          clock,
        ),
      ),
    };
    const used = { ...intact, ...sabotage.model?.(intact) };
    let handed = new Set<string>();
    void environment.died.then(() => handed.forEach((name) => this.#failedOn(name)));
    return ({ model, request }: { model: string; request: TransitionRequest }) => {
      handed = new Set(request.events.map(({ event }) => nameOf(event)));
      const { limits } = this.#account;
      const failsNow = (event: { source: string; id: string }, fails: Fails) =>
        this.#failsNow(event, fails, environment);
      const code = tally(model, failsNow, { hasKeys: limits });
      return answerModelRequest({ ...used, rows, model: code, clock }, request);
    };
  }

  #failsNow(
    event: { readonly source: string; readonly id: string },
    { how, until }: Fails,
    environment: Environment,
  ): boolean {
    const { log, count } = this.#account;
    const name = nameOf(event);
    // DynamoDB refuses it then, and not the model.
    if (how === 'refused' || !isBroken(this.#account, log.failures.get(name) ?? 0, until))
      return false;
    count('events that a model failed on');
    if (how === 'kills' && environment.alive) environment.die('out of memory');
    else this.#failedOn(name);
    return true;
  }

  #failedOn(name: string): void {
    const { failures } = this.#account.log;
    failures.set(name, (failures.get(name) ?? 0) + 1);
  }

  #lambdaClientOf(environment: Environment): LambdaService {
    const invoke = async (functionArn: string, payload: string) => {
      const model = functionArn.split(':').at(-1)!;
      const request = JSON.parse(payload) as TransitionRequest;
      const ended = await this.#model.invoke({ model, request });
      if (!('failed' in ended)) return { payload: JSON.stringify(ended.answer) };
      const failure = { errorType: 'Error', errorMessage: ended.failed };
      return { payload: JSON.stringify(failure), functionError: 'Unhandled' };
    };
    return {
      invoke: (functionArn, payload) =>
        environment.call(
          () => 'Invoke',
          () => invoke(functionArn, payload),
        ),
    };
  }
}
