import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { KinesisStreamEvent } from 'aws-lambda';
import { DynamoDbDeadLetterStore } from '../../src/aws/dynamodb-dead-letter-store.ts';
import { DynamoDbInstanceStore } from '../../src/aws/dynamodb-instance-store.ts';
import { DynamoDbParkingStore } from '../../src/aws/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../../src/aws/lambda-model-invoker.ts';
import type { InvokeResult } from '../../src/local/event-source/ports.ts';
import { type DispatchEnvironment, dispatch } from '../../src/service/dispatch.ts';
import { toStreamRecord } from '../../src/service/kinesis-event.ts';
import { answerModelRequest } from '../../src/service/model-handler.ts';
import type { TransitionRequest } from '../../src/service/protocol.ts';
import { RegistryCache } from '../../src/service/registry-cache.ts';
import type { Item } from '../support/dynamodb-expressions.ts';
import type { MemoryDynamoDb } from '../support/memory-dynamodb.ts';
import { MemoryEventStream } from '../support/memory-event-stream.ts';
import type { MemoryModelRegistry } from '../support/memory-model-registry.ts';
import { MemoryNotifier } from '../support/memory-notifier.ts';
import type { Environment, Surroundings } from './environment.ts';
import { Lambda } from './lambda.ts';
import { nameOf, type RunLog, type Until } from './log.ts';
import { tally } from './model.ts';
import type { DispatchBatch, Sabotage } from './sabotage.ts';

/** What the Lambdas of a run work with. */
export interface Account extends Surroundings {
  readonly database: MemoryDynamoDb;
  readonly registry: MemoryModelRegistry;
  readonly log: RunLog;
  readonly sabotage: Sabotage;
  /** One instance gets thousands of events. */
  readonly flood: boolean;
  /** False until the models are mended. */
  mended: boolean;
}

/** The dispatcher and the models' functions, on an account's tables. */
export class Lambdas {
  readonly #account: Account;
  readonly #dispatcher: Lambda<KinesisStreamEvent, unknown>;
  readonly #model: Lambda<{ model: string; request: TransitionRequest }, unknown>;

  constructor(account: Account) {
    this.#account = account;
    this.#dispatcher = new Lambda(account, 'dispatcher', (environment) =>
      this.#startDispatcher(environment),
    );
    this.#model = new Lambda(account, 'model', (environment) => this.#startModel(environment));
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
    for (const { running } of [this.#dispatcher, this.#model])
      while (running.size > 0) await Promise.all(running);
  }

  #startDispatcher(environment: Environment) {
    const { registry, sabotage, count } = this.#account;
    const { clock } = environment;
    const client = this.#clientOf(environment);
    const intact: DispatchEnvironment = {
      registry: new RegistryCache(
        {
          get: (id) =>
            environment.call(
              () => 'registry',
              () => registry.get(id),
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
      parking: new DynamoDbParkingStore(client, 'instances'),
      models: new LambdaModelInvoker(this.#lambdaClientOf(environment)),
      retry: { attempts: 3, backoff: 200 },
      clock,
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
    const intact = new DynamoDbInstanceStore(this.#clientOf(environment), 'instances');
    const store = sabotage.instances?.(intact) ?? intact;
    const stream = new MemoryEventStream();
    const notifier = new MemoryNotifier();
    let handed = new Set<string>();
    void environment.died.then(() => handed.forEach((name) => this.#failedOn(name)));
    return ({ model, request }: { model: string; request: TransitionRequest }) => {
      handed = new Set(request.events.map(({ event }) => nameOf(event)));
      const code = tally(model, (event, fails) => this.#failsNow(event, fails, environment));
      const { clock } = environment;
      return answerModelRequest({ model: code, store, stream, notifier, clock }, request);
    };
  }

  #failsNow(
    event: { readonly source: string; readonly id: string },
    { how, until }: { how: 'throws' | 'kills'; until: Until },
    environment: Environment,
  ): boolean {
    const { log, mended, count } = this.#account;
    const name = nameOf(event);
    const tries = log.failures.get(name) ?? 0;
    const isBroken = until === 'always' || (!mended && (until === 'mended' || tries < until));
    if (!isBroken) return false;
    count('events that a model failed on');
    if (how === 'kills' && environment.alive) environment.die('out of memory');
    else this.#failedOn(name);
    return true;
  }

  #failedOn(name: string): void {
    const { failures } = this.#account.log;
    failures.set(name, (failures.get(name) ?? 0) + 1);
  }

  #clientOf(environment: Environment): DynamoDBClient {
    const { database, sabotage } = this.#account;
    const client = {
      send: (command: object) =>
        environment.call(
          () => described(command),
          () => database.send(command),
        ),
    } as unknown as DynamoDBClient;
    return sabotage.client?.(client) ?? client;
  }

  #lambdaClientOf(environment: Environment): LambdaClient {
    const send = ({ input }: InvokeCommand) =>
      environment.call(
        () => 'Invoke',
        async () => {
          const model = input.FunctionName!.split(':').at(-1)!;
          const request = JSON.parse(input.Payload as unknown as string) as TransitionRequest;
          const ended = await this.#model.invoke({ model, request });
          const text =
            'failed' in ended
              ? JSON.stringify({ errorType: 'Error', errorMessage: ended.failed })
              : JSON.stringify(ended.answer);
          return {
            ...('failed' in ended ? { FunctionError: 'Unhandled' } : {}),
            Payload: { transformToString: () => text },
          };
        },
      );
    return { send } as unknown as LambdaClient;
  }
}

/** A command in one line. */
function described(command: object): string {
  const { input } = command as { input: Record<string, Item | undefined> };
  const { pk, sk } = input.Key ?? input.Item ?? input.ExpressionAttributeValues ?? {};
  const where = [pk, sk].map((value) => value?.S ?? '').join(' ');
  const more = [input.Item?.entries, input.Item?.event, input.Item?.eventId, input.Item?.reason];
  const what = more.map((value) => value?.S?.slice(0, 200) ?? '').join(' ');
  return `${command.constructor.name} ${where || JSON.stringify(input).slice(0, 200)} ${what}`;
}
