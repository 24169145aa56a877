import type { KinesisStreamEvent } from 'aws-lambda';
import { type BatchHandler, streamHandler } from '../../lambdas/support/stream-handler.ts';
import type { Lambda as LambdaService } from '../../src/aws/client/lambda.ts';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { DynamoDbDeadLetterStore } from '../../src/aws/dead-letters/dynamodb-dead-letter-store.ts';
import { DynamoDbParkingStore } from '../../src/aws/dead-letters/dynamodb-parking-store.ts';
import { LambdaModelInvoker } from '../../src/aws/functions/lambda-model-invoker.ts';
import { DynamoDbHistoryRewriter } from '../../src/aws/instances/dynamodb-history-rewriter.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { DynamoDbStatusRows } from '../../src/aws/instances/dynamodb-status-rows.ts';
import { KinesisEventStream } from '../../src/aws/stream/kinesis-event-stream.ts';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import type { InvocationResult } from '../../src/aws-local/event-source/options.ts';
import { lookAhead } from '../../src/clock/schedule-wakeups.ts';
import { Chance } from '../../src/common/chance.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import { CompletedTails } from '../../src/model-runtime/completed-tails.ts';
import { handleModelRequest } from '../../src/model-runtime/model-handler.ts';
import { NotificationStream } from '../../src/model-runtime/notification-stream.ts';
import type { ModelRequest, PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { SealingStore } from '../../src/model-runtime/sealing/sealing-store.ts';
import type { TailDependencies } from '../../src/model-runtime/tail.ts';
import { SignedStream } from '../../src/stream/signing/signed-stream.ts';
import type { Sending } from '../support/aws-in-memory/dynamodb-of.ts';
import type { MemoryDynamoDb } from '../support/aws-in-memory/memory-dynamodb.ts';
import type { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { dataKeysIn } from './data-keys.ts';
import type { Deployments } from './deployments/deployments.ts';
import type { Code } from './deployments/functions.ts';
import { dynamoDbClientOf } from './dynamodb-client.ts';
import type { Environment, Surroundings } from './environment.ts';
import { awaited } from './event-source.ts';
import { answerTimeOf, dispatcherTimeout } from './function-times.ts';
import type { Inlet } from './inlet.ts';
import { isBroken } from './is-broken.ts';
import { type Context, Lambda, timedOut } from './lambda.ts';
import { nameOf, type RunLog } from './log.ts';
import { macsIn } from './macs.ts';
import { type Fails, modelVersions, tally } from './model.ts';
import { kinesisClientOf } from './outlets.ts';
import type { Publisher } from './publisher.ts';
import { hasNoFault, type Sabotage } from './sabotage.ts';
import type { Scenario } from './scenario.ts';
import { replaced } from './tampering.ts';
import { Timekeeper } from './timekeeper.ts';

/** Lambda's maximum payload, in bytes. */
const maximumPayloadBytes = 6 * 1024 * 1024;

/** The stores, services, and settings of a run's Lambda functions. */
export interface Account extends Surroundings, Scenario {
  readonly database: MemoryDynamoDb;
  /** The database as the functions see it: eventually consistent reads can return old data. */
  readonly replicated: Sending;
  readonly registry: ModelRegistryInMemory;
  readonly log: RunLog;
  readonly inlet: Inlet;
  readonly sabotage: Sabotage;
  /** Whether one instance receives thousands of events. */
  readonly flood: boolean;
  /** Whether the model fails on the first event of the flood so that all later ones are parked. */
  readonly longQueue: boolean;
  /** Whether some records contain several aggregated events. */
  readonly together: boolean;
  /** Whether a run has giant transaction ids and keys, and commits that DynamoDB permanently rejects. */
  readonly limits: boolean;
  /** When instances start to become late, in milliseconds since 1970. Default: no instance becomes late. */
  readonly deadlinesFrom: number | undefined;
  /** Whether some producers forge events of Milepost. */
  readonly forgeries: boolean;
  /** The signing keys, as the value of their secret. */
  readonly keyRing: string;
  /** Whether the number of index partitions grows, and lists are compared with the status rows. */
  readonly growing: boolean;
  /** The deployments of the models; undefined in runs without deployments. */
  deployments: Deployments | undefined;
  /** Whether the models are fixed. */
  mended: boolean;
}

/** A request to the function of a model. */
interface Invocation {
  readonly model: string;
  /** The version of the code; undefined if each process draws its version. */
  readonly version: Code['model'] | undefined;
  readonly request: ModelRequest;
}

/** The functions of a run: the dispatcher, the models' functions, and the clock. */
export class Lambdas {
  readonly #account: Account;
  readonly #publisher: Publisher;
  readonly #dispatcher: Lambda<KinesisStreamEvent, unknown>;
  readonly #model: Lambda<Invocation, unknown>;
  readonly clock: Timekeeper;
  /** Draws the versions of the models' processes; undefined in runs without a deployment. */
  readonly #deployments: Chance | undefined;

  constructor(account: Account, publisher: Publisher, seed: number) {
    if (hasNoFault(account.sabotage) && seed % 3 === 2) this.#deployments = new Chance(seed + 9e9);
    this.#account = account;
    this.#publisher = publisher;
    const { log, modelTimeout } = account;
    this.#dispatcher = new Lambda(account, {
      name: 'dispatcher',
      timeout: dispatcherTimeout,
      start: (environment) => this.#startDispatcher(environment),
      onTimeout: () => log.timeouts.push('the dispatcher'),
    });
    this.#model = new Lambda(account, {
      name: 'model',
      timeout: modelTimeout,
      start: (environment) => this.#startModel(environment),
      onTimeout: () => log.timeouts.push("a model's function"),
    });
    this.clock = new Timekeeper(account);
  }

  /** Invokes the dispatcher for the event source. */
  readonly dispatch = async (event: KinesisStreamEvent): Promise<InvocationResult> => {
    const { chance, count, log, trace, weather } = this.#account;
    if (chance.happens(weather.refused)) return { kind: 'throttled', message: 'throttled' };
    trace(`batch of ${event.Records.map(({ eventID }) => eventID).join(' ')}`);
    return awaited(this.#account, this.#dispatcher.invoke(event), () => {
      log.overlapped = true;
      count('dispatchers abandoned by their callers');
    });
  };

  /** Replaces the code of the models' functions. */
  deployModels(): void {
    this.#model.deploy();
  }

  /** Resolves when no function is running. */
  async idle(): Promise<void> {
    for (const each of [this.clock, this.#dispatcher, this.#model])
      while (each.running.size > 0) await Promise.all(each.running);
  }

  #startDispatcher(environment: Environment) {
    const { sabotage, count, deployments } = this.#account;
    const intactRegistry = deployments?.registry ?? this.#account.registry;
    const registry = sabotage.registry?.(intactRegistry) ?? intactRegistry;
    // An invocation can finish the work that the one before it left behind.
    let starts: readonly number[] = [];
    const { clock } = environment;
    const macs = macsIn(this.#account, environment);
    const client = dynamoDbClientOf(this.#account, environment);
    const read = <Value>(effect: () => Promise<Value>) =>
      environment.call(() => 'registry', { service: 'dynamodb', effect });
    const intact: DispatchDependencies = {
      deaggregate: userRecords,
      registry: new RegistryCache(
        {
          get: (id) => read(() => registry.get(id)),
          getConsistent: (id) => read(() => registry.getConsistent(id)),
          list: () => read(() => registry.list()),
        },
        clock,
      ),
      deadLetters: new DynamoDbDeadLetterStore(client, 'letters', clock),
      parking: new DynamoDbParkingStore(client, 'instances', clock),
      models: new LambdaModelInvoker(this.clientOf(environment, () => starts[0]!)),
      stream: new SignedStream(
        new KinesisEventStream(
          kinesisClientOf(this.#account, environment, 'dispatcher'),
          'events',
          clock,
        ),
        macs,
      ),
      retry: { attempts: 3, backoff: 200 },
      failureTracker: new FailureTracker(),
      clock,
      dataKeys: dataKeysIn(this.#account, environment),
      macs,
      log: {
        deadLetters: () => count('batches with dead letters'),
        parked: () => count('batches with parked events'),
        failures: () => count('batches with records to redeliver'),
      },
    };
    const used = sabotage.dispatcher?.(intact) ?? intact;
    const all: BatchHandler = (records, deadline) => dispatch(used, records, deadline);
    const handler = streamHandler(clock, sabotage.dispatch?.(all) ?? all);
    return (...invocation: Parameters<typeof handler>) => {
      starts = [...starts, this.#account.clock.now()].slice(-2);
      return handler(...invocation);
    };
  }

  #startModel(environment: Environment) {
    const { sabotage, timed } = this.#account;
    const { clock } = environment;
    const client = dynamoDbClientOf(this.#account, environment);
    const intact: TailDependencies = {
      store: new DynamoDbInstanceStore(client, 'instances', clock),
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
      ...(timed && { completedTails: new CompletedTails() }),
      wakeups: this.clock.wakeupsOf(environment, lookAhead),
    };
    const used = { ...intact, ...sabotage.model?.(intact) };
    // During a deployment, processes with the old and the new version run at the same time.
    const drawn = this.#deployments?.pick(modelVersions) ?? modelVersions[0];
    const rows = new DynamoDbStatusRows(client, 'instances', clock);
    const rewriter = new DynamoDbHistoryRewriter(client, 'instances');
    const history = replaced(rewriter, sabotage.history?.(rewriter) ?? {});
    const dataKeys = dataKeysIn(this.#account, environment);
    const isMarked = this.#account.log.markedAt !== undefined;
    let handed = new Set<string>();
    void environment.died.then((reason) => {
      // A timeout is not counted as a failure of the model, because AWS can cause it. Blocking code is counted
      // separately.
      if (reason !== timedOut) for (const name of handed) this.#failedOn(name);
    });
    return ({ model, version, request }: Invocation, context: Context) => {
      const { events = [] } = request as { events?: readonly PositionedEvent[] };
      handed = new Set(events.map(({ event }) => nameOf(event)));
      const { limits, deadlinesFrom, seenLimits } = this.#account;
      const failsNow = (event: { source: string; id: string }, fails: Fails) =>
        this.#failsNow(event, fails, environment);
      const code = tally(model, failsNow, {
        version: version ?? drawn,
        hasKeys: limits,
        deadlinesFrom,
        isMarked,
      });
      const store = dataKeys ? new SealingStore(used.store, dataKeys, code) : used.store;
      const time = answerTimeOf(clock, context.getRemainingTimeInMillis());
      return handleModelRequest(
        { ...used, store, rows, model: code, clock, dataKeys, history, seenLimits },
        request,
        sabotage.modelTime?.(time) ?? time,
      );
    };
  }

  #failsNow(
    event: { readonly source: string; readonly id: string },
    { how, until }: Fails,
    environment: Environment,
  ): boolean {
    const { log, count } = this.#account;
    const name = nameOf(event);
    // In these cases, the model succeeds, and DynamoDB rejects the commit.
    if (
      how === 'refused' ||
      how === 'starved' ||
      !isBroken(this.#account, log.failures.get(name) ?? 0, until)
    )
      return false;
    // In a blocked process, no further failure is recorded.
    if (environment.blocked) return true;
    count('events that a model failed on');
    if (how === 'kills' && environment.alive) environment.die('out of memory');
    else if (how === 'blocks') {
      this.#failedOn(name);
      environment.block();
    } else this.#failedOn(name);
    return true;
  }

  #failedOn(name: string): void {
    const { failures } = this.#account.log;
    failures.set(name, (failures.get(name) ?? 0) + 1);
  }

  /**
   * Creates a process's client for the functions of the models.
   *
   * @param since returns when the process can have started the work that it is doing.
   */
  clientOf(environment: Environment, since = () => this.#account.clock.now()): LambdaService {
    const invoke = async (functionArn: string, payload: string, isAwaited: boolean) => {
      if (Buffer.byteLength(payload) > maximumPayloadBytes)
        throw new ServiceError('RequestEntityTooLargeException', 'the payload is too large', 413);
      const { functions } = this.#account.deployments ?? {};
      const model = functionArn.split(':')[6]!;
      const code = functions?.codeOf(functionArn);
      if (functions && model === 'tally' && !code) {
        if (isAwaited) functions.reportMissing(functionArn, since());
        this.#account.count('invocations of deleted versions');
        throw new ServiceError('ResourceNotFoundException', 'no such version', 404);
      }
      const request = JSON.parse(payload) as ModelRequest;
      const ended = await this.#model.invoke({ model, version: code?.model, request });
      if (!('failed' in ended)) return { payload: JSON.stringify(ended.answer) };
      const failure = { errorType: 'Error', errorMessage: ended.failed };
      return { payload: JSON.stringify(failure), functionError: 'Unhandled' };
    };
    return {
      invoke: (functionArn, payload) =>
        environment.call(() => 'Invoke', {
          service: 'lambda',
          effect: (isAwaited) => invoke(functionArn, payload, isAwaited),
        }),
    };
  }
}
