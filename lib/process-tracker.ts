import { Duration, RemovalPolicy, Tags, Validations } from 'aws-cdk-lib';
import type { HttpApi, IHttpRouteAuthorizer, ThrottleSettings } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stream, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { MilepostError } from '../src/core/errors.ts';
import { modelIdPattern } from '../src/core/event/event.ts';
import { Alarms } from './alarms.ts';
import { Archive } from './archive.ts';
import { Clock } from './clock.ts';
import { CustomerLinks } from './customer-links.ts';
import { CustomerPages } from './customer-pages.ts';
import { Dashboard } from './dashboard.ts';
import { Dispatcher } from './dispatcher.ts';
import { checkModelTime, type ModelRetries } from './dispatcher-time.ts';
import { EventBridgeSource, type EventBridgeSourceProps } from './event-bridge-source.ts';
import { Api } from './http-api.ts';
import { logicalId } from './logical-id.ts';
import { defaultModelTimeout, Model, type ModelProps, type ModelScopeProps } from './model.ts';
import { hostTimeout, type ModelFunctionProps, ModelHost } from './model-host.ts';
import { NotificationStream } from './notification-stream.ts';
import { Notifications } from './notifications.ts';
import {
  OperatorPages,
  type OperatorPagesProps,
  type OperatorPagesScopeProps,
} from './operator-pages.ts';
import { PersonalData } from './personal-data.ts';
import { Publisher } from './publisher.ts';
import { Registrar } from './registrar.ts';
import { type ApiRoles, rolesOf } from './roles.ts';
import { builtBundles, type LogProps, type ServiceFunction } from './service-function.ts';
import { SigningKeys } from './signing-keys.ts';
import { streamStorage } from './stream-storage.ts';
import { Tables } from './tables.ts';
import { TrackerMetrics } from './tracker-metrics.ts';

/** Whose JSON Web Tokens open the HTTP API. */
export interface ApiTokens {
  /** Such as `https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf`. */
  readonly issuer: string;
  /** The client ids that tokens are for. */
  readonly audience: readonly string[];
  /**
   * The claim that holds the names of a caller's groups or roles: its name, such as `groups` or
   * `https://example.com/roles`, or a JSON Pointer to a nested one, such as `/realm_access/roles`.
   *
   * @default 'cognito:groups'
   */
  readonly rolesClaim?: string;
  /** The names in that claim that grant each role. @default the names of the roles */
  readonly roles?: ApiRoles;
}

/** Everything has a default: `new ProcessTracker(this, 'Tracker')` is a whole tracker. */
export interface ProcessTrackerProps {
  /** The stream's name, unique in an account and region. @default 'milepost-events' */
  readonly streamName?: string;
  /**
   * How long the stream keeps events, 1 to 365 days. The default leaves a long weekend to mend
   * something, and room to read events again; AWS charges for what is kept beyond a day.
   *
   * @default 7 days
   */
  readonly streamRetention?: Duration;
  /**
   * Encrypts tables, streams, failure bucket, the pages' bucket and the bus of notifications; log
   * groups use CloudWatch's own encryption, and access logs in S3 use S3's.
   *
   * @default keys that AWS manages
   */
  readonly encryptionKey?: IKey;
  /**
   * What becomes of tables, stream, bucket, signing keys and logs when they leave the stack. Anything but RETAIN
   * also turns the tables' deletion protection off; a bucket must be emptied before it can go.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /** How long logs are kept. @default one month */
  readonly logRetention?: RetentionDays;
  /** Most records in one invocation of the dispatcher. @default 500 */
  readonly batchSize?: number;
  /**
   * How often records are tried again before they go to the failure bucket. -1 sets no limit: they are
   * tried until their age is half a day less than `streamRetention`, or 7 days. A number may be used up
   * within minutes of an outage, because attempts can fail quickly.
   *
   * @default -1
   */
  readonly retryAttempts?: number;
  /**
   * How long the failure bucket keeps a record, in whole days, at least 2. The last day is for records
   * that were deleted by mistake.
   *
   * @default 30 days
   */
  readonly failureRetention?: Duration;
  /** How often a model is tried on an event that it fails on, before the event is parked. @default 3 */
  readonly modelAttempts?: number;
  /** The pause before a model is tried again; four times as long each further time. @default 200 ms */
  readonly modelBackoff?: Duration;
  /** The dispatcher's memory, in MB. @default 1024 */
  readonly dispatcherMemorySize?: number;
  /**
   * So many dispatchers may run at once, and no more; they are kept from all others of the account.
   * The stream waits for them: ten for each shard are never too few.
   *
   * @default as many as the account has left
   */
  readonly dispatcherReservedConcurrency?: number;
  /** The API's memory, in MB. @default 512 */
  readonly apiMemorySize?: number;
  /**
   * The most executions of the API's function at once. They are reserved for it, and it cannot take those that
   * the dispatcher and the models need. Callers over the limit get a 503. `'none'` sets no limit and reserves
   * nothing, for accounts that have too few executions to reserve any (docs/deploy.md).
   *
   * @default 100
   */
  readonly apiReservedConcurrency?: number | 'none';
  /**
   * How many requests a second each route of the API takes, and how many at once. Callers over the limit get
   * a 429. The limits of the account apply besides.
   *
   * @default { rateLimit: 500, burstLimit: 1000 }
   * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
   */
  readonly apiThrottle?: ThrottleSettings;
  /** The same for the clock, which needs one. @default as many as there are left */
  readonly clockReservedConcurrency?: number;
  /**
   * Lets in who has a token of this issuer, such as a Cognito user pool, with the role `viewer` (reads)
   * or `operator` (also redrives, deletes, rolls back, makes and revokes links, and puts events). Not with
   * `apiAuthorizer`.
   *
   * @default none
   */
  readonly apiTokens?: ApiTokens;
  /** Who may use the HTTP API. @default callers with AWS credentials and execute-api:Invoke */
  readonly apiAuthorizer?: IHttpRouteAuthorizer;
  /**
   * The origins of web pages that may use the HTTP API, such as `https://status.example.org`. What a
   * browser asks before it does so (OPTIONS) is then answered to anybody.
   *
   * @default none
   */
  readonly apiCorsOrigins?: readonly string[];
  /**
   * Whether customers can be given links to status pages of their own. Then `GET /track/{token}` is open
   * to the world: whoever has a link sees the page behind it, until the link expires or is revoked
   * (docs/customer-pages.md).
   *
   * @default false
   */
  readonly customerPages?: boolean;
  /**
   * How many requests a second the public route of customers' pages takes, from all callers together, and how
   * many at once. Callers over the limit get a 429.
   *
   * @default { rateLimit: 50, burstLimit: 100 }
   */
  readonly customerPagesThrottle?: ThrottleSettings;
  /**
   * The most executions of the customers' pages at once, reserved as those of the API are; `'none'` likewise.
   *
   * @default 10
   */
  readonly customerPagesReservedConcurrency?: number | 'none';
  /**
   * Puts the operator's pages on CloudFront, for who logs in at the issuer of `apiTokens`.
   *
   * @default no pages
   */
  readonly operatorPages?: OperatorPagesProps;
  /** An alarm goes off when events have waited on the stream for longer, for 3 minutes. @default 1 minute */
  readonly iteratorAgeAlarm?: Duration;
  /**
   * Whether there are CloudWatch metrics of each model, at up to $2.10 a model and month
   * (docs/operations.md). What alarms are about is counted in any case.
   *
   * @default true
   */
  readonly modelMetrics?: boolean;
  /** Whether there is a CloudWatch dashboard, the fourth and further of an account at $3 a month. @default true */
  readonly dashboard?: boolean;
  /**
   * Whether X-Ray records a part of what dispatcher, models and API do, and the way of events with a
   * `traceparent`, at $5 a million traces. It takes a permission that cannot be narrowed.
   *
   * @default false
   */
  readonly tracing?: boolean;
  /**
   * Whether logs say why a record is a dead letter, why an event was parked and what a model threw. They may
   * quote the event; the dead letters have these reasons in any case.
   *
   * @default false
   */
  readonly eventDataInLogs?: boolean;
  /** Of everything in it that can have tags, besides `milepost`, the stream's name. @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * Where changes of status, milestones and ends are published.
   *
   * @default a stream and a bus of the tracker's own
   */
  readonly notifications?: Notifications;
  /**
   * Whether every event is also kept in S3, by model and day, with a table for Athena: see
   * `docs/archive.md`. What came before it was turned on is not in it.
   *
   * @default false
   */
  readonly archive?: boolean;
  /** Is told of every alarm. @default the alarms are there, and tell nobody */
  readonly alarmTopic?: ITopic;
  /**
   * Whether models may have sensitive fields. It makes a KMS key, unless there is an `encryptionKey`, and a
   * table for a key of each instance that has such fields; KMS is called for each, once when it begins
   * and then for each function that reads it, at most once a minute. Point-in-time recovery of the
   * dead letters reaches back one day instead of 35, because they hold events in plain text.
   *
   * @default false
   */
  readonly personalData?: boolean;
  /**
   * How often the keys are rotated that Milepost signs its own events with, 1 to 1,000 days. The secret
   * costs $0.40 a month, whatever it is set to. `aws secretsmanager rotate-secret` rotates them at once.
   * `'none'` leaves the rotation out, for emulators of AWS that do not know it.
   *
   * @default 90 days
   */
  readonly signingKeyRotation?: Duration | 'none';
  /** The folder with the built Lambdas of Milepost. @default those that come with this package */
  readonly bundles?: string;
}

/**
 * A process status tracker: a stream that takes events, the dispatcher that hands them to models,
 * the tables that hold what became of them, and the HTTP API that tells.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const tracker = new ProcessTracker(stack, 'Tracker');
 * tracker.addModel('orders', { entry: 'models/orders/lambda.ts' });
 */
export class ProcessTracker extends Construct {
  /** Where systems put their events: `stream.grantWrite(role)` lets one. */
  readonly stream: Stream;
  /** The instances: their history, state and status. */
  readonly instancesTable: Table;
  /** Which models there are. */
  readonly registryTable: Table;
  /** What could not be taken, with its bytes and the reason. */
  readonly deadLettersTable: Table;
  /** Records that the dispatcher failed on until their retries ended. */
  readonly failureBucket: Bucket;
  /** The function that takes records from the stream to the models. */
  readonly dispatcher: Function;
  /** The HTTP API, to grant access to or to add routes of your own. */
  readonly httpApi: HttpApi;
  /** Where the HTTP API answers, with a slash at the end. */
  readonly apiUrl: string;
  /** With `archive: true`. */
  readonly archive?: Archive;

  readonly #tables: Tables;
  readonly #registrar: Registrar;
  readonly #eventBus?: IEventBus;
  readonly #notificationStream?: NotificationStream;
  readonly #pages?: OperatorPages;
  /** What invokes models, whichever version of their code is current. */
  readonly #invokers: readonly ServiceFunction[];
  readonly #models: Construct;
  readonly #personalData?: PersonalData;
  readonly #retries: ModelRetries;
  readonly #signingKeys: SigningKeys;
  readonly #logs: LogProps;
  readonly #bundles: string;
  readonly #encryptionKey?: IKey;
  readonly #alarmTopic?: ITopic;
  readonly #alarms: Alarms;
  readonly #dashboard?: Dashboard;
  /** What models have in common with the other functions. */
  readonly #watched: Pick<ModelScopeProps, 'eventDataInLogs' | 'metrics' | 'tracing'>;

  constructor(scope: Construct, id: string, props: ProcessTrackerProps = {}) {
    super(scope, id);
    const { streamName = 'milepost-events', streamRetention = Duration.days(7) } = props;
    const { removalPolicy = RemovalPolicy.RETAIN, encryptionKey } = props;
    const { bundles = builtBundles, logRetention = RetentionDays.ONE_MONTH } = props;
    this.#logs = { logRetention, removalPolicy };
    this.#bundles = bundles;
    const { modelAttempts = 3, modelBackoff = Duration.millis(200) } = props;
    this.#retries = { modelAttempts, modelBackoff };
    checkModelTime('the tracker', defaultModelTimeout, this.#retries);
    this.#models = new Construct(this, 'Models');
    this.#encryptionKey = encryptionKey;
    this.#alarmTopic = props.alarmTopic;

    const tags = { milepost: streamName, ...props.tags };
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value);

    if (encryptionKey) acknowledgeOwnKey(this);
    const tables = new Tables(this, 'Tables', {
      encryptionKey,
      removalPolicy,
      isStreamed: props.archive,
      hasPersonalData: props.personalData,
    });
    this.#tables = tables;
    this.instancesTable = tables.instances;
    this.registryTable = tables.registry;
    this.deadLettersTable = tables.deadLetters;

    this.stream = new Stream(this, 'Stream', {
      streamName,
      streamMode: StreamMode.ON_DEMAND,
      retentionPeriod: streamRetention,
      ...streamStorage(encryptionKey, removalPolicy),
    });

    const { notifications = Notifications.toNewBus() } = props;
    const targets = notifications.bind(this, { encryptionKey });
    this.#eventBus = targets?.eventBus;
    this.#notificationStream =
      targets &&
      new NotificationStream(this, 'NotificationStream', {
        ...targets.stream,
        eventStreamName: streamName,
        encryptionKey,
        removalPolicy,
      });

    const shared = { ...this.#logs, bundles, tables, stream: this.stream };
    const { tracing = false, modelMetrics = true } = props;
    const metrics = new TrackerMetrics(streamName);
    const { eventDataInLogs = false } = props;
    this.#watched = { tracing, eventDataInLogs, metrics: modelMetrics ? metrics : undefined };
    const dispatcher = new Dispatcher(this, 'Dispatcher', {
      ...shared,
      tracing,
      metrics,
      modelMetrics,
      eventDataInLogs,
      reservedConcurrency: props.dispatcherReservedConcurrency,
      streamRetention,
      failureRetention: props.failureRetention ?? Duration.days(30),
      encryptionKey,
      batchSize: props.batchSize ?? 500,
      retryAttempts: props.retryAttempts ?? -1,
      memorySize: props.dispatcherMemorySize ?? 1_024,
      ...this.#retries,
    });
    this.dispatcher = dispatcher.function;
    this.failureBucket = dispatcher.failures;
    const publisher =
      this.#notificationStream &&
      this.#eventBus &&
      new Publisher(this, 'Publisher', {
        ...this.#logs,
        bundles,
        tables,
        metrics,
        stream: this.#notificationStream,
        eventBus: this.#eventBus,
        failures: dispatcher.failures,
      });

    const api = new Api(this, 'Api', {
      ...shared,
      notificationStream: this.#notificationStream,
      tracing,
      reservedConcurrency: reserved(props.apiReservedConcurrency, 100),
      throttle: props.apiThrottle ?? { rateLimit: 500, burstLimit: 1_000 },
      memorySize: props.apiMemorySize ?? 512,
      authorizer: authorizerOf(props),
      ...(props.apiTokens && { roles: rolesOf(props.apiTokens) }),
      corsOrigins: props.apiCorsOrigins ?? [],
      customerPages: props.customerPages ?? false,
      encryptionKey,
    });
    this.httpApi = api.httpApi;
    this.apiUrl = api.url;
    const customerPages =
      api.linkKey &&
      new CustomerPages(this, 'CustomerPages', {
        ...this.#logs,
        bundles,
        tables,
        api,
        linkKey: api.linkKey,
        reservedConcurrency: reserved(props.customerPagesReservedConcurrency, 10),
        throttle: props.customerPagesThrottle ?? { rateLimit: 50, burstLimit: 100 },
      });
    this.#pages = pagesOf(this, props, { ...this.#logs, httpApi: api.httpApi, encryptionKey });

    this.#registrar = new Registrar(this, 'Registrar', shared);
    this.#invokers = [dispatcher, api];

    const clock = new Clock(this, 'Clock', {
      ...shared,
      reservedConcurrency: props.clockReservedConcurrency,
    });

    this.#signingKeys = new SigningKeys(this, 'SigningKeys', {
      ...this.#logs,
      bundles,
      encryptionKey,
      rotation: props.signingKeyRotation ?? Duration.days(90),
    });
    for (const { function: reader } of [dispatcher, api, clock])
      this.#signingKeys.grantRead(reader);

    if (props.personalData) {
      this.#personalData = new PersonalData(this, 'PersonalData', { encryptionKey, removalPolicy });
      this.#personalData.grantSeal(dispatcher.function);
      this.#personalData.grantForget(api.function);
    }
    if (customerPages) {
      const links = new CustomerLinks(this, 'CustomerLinks', { encryptionKey, removalPolicy });
      links.grantManage(api.function);
      links.grantFollow(customerPages.function);
    }
    if (props.archive)
      this.archive = new Archive(this, 'Archive', {
        ...shared,
        encryptionKey,
        alarmTopic: props.alarmTopic,
        models: () => this.#models.node.children.map(({ node }) => node.id),
      });

    this.#alarms = new Alarms(this, 'Alarms', {
      dispatcher,
      notificationStream: this.#notificationStream,
      publisher,
      api,
      customerPages,
      clock,
      metrics,
      iteratorAge: props.iteratorAgeAlarm ?? Duration.minutes(1),
      topic: props.alarmTopic,
    });
    if (props.dashboard === false) return;
    this.#dashboard = new Dashboard(this, 'Dashboard', {
      stream: this.stream,
      notificationStream: this.#notificationStream,
      publisher: publisher?.function,
      instances: tables.instances,
      functions: {
        dispatcher: dispatcher.function,
        ...(publisher && { publisher: publisher.function }),
        API: api.function,
        ...(customerPages && { "customers' pages": customerPages.function }),
        clock: clock.function,
      },
      dispatcher: dispatcher.function,
      api,
      metrics,
      modelMetrics,
      alarms: this.#alarms.all,
    });
  }

  /** To add further actions to: those of the tracker, and of the models that were added. */
  get alarms(): readonly Alarm[] {
    return this.#alarms.all;
  }

  /**
   * The bus that notifications are published to, for rules of your own.
   *
   * @throws Error with `Notifications.none()` and `toStream()`: without a bus, a rule would be one of the
   *   default bus
   */
  get notifications(): IEventBus {
    if (!this.#eventBus) throw new Error('the tracker publishes no notifications: it has no bus');
    return this.#eventBus;
  }

  /**
   * The stream of notifications, for consumers of your own: `grantRead` lets one.
   *
   * @throws Error with `Notifications.none()`
   */
  get notificationStream(): Stream {
    if (!this.#notificationStream)
      throw new Error('the tracker publishes no notifications: it has no stream of them');
    return this.#notificationStream;
  }

  /**
   * The operator's pages.
   *
   * @throws Error without `operatorPages`
   */
  get pages(): OperatorPages {
    if (!this.#pages) throw new Error('the tracker has no pages: give it operatorPages');
    return this.#pages;
  }

  /**
   * Adds a model: events whose `modelid` is `id` go to it. Taking the call out again takes the model
   * out of the registry; its instances stay.
   *
   * @param id 1 to 64 of a-z, 0-9 and -; the same as in the model itself, or the deployment fails
   * @throws MilepostError `bad-model` for a bad id, an id that is taken, or a timeout that is too long
   */
  addModel(id: string, props: ModelProps): Model {
    this.#checkNew(id);
    checkModelTime(`model "${id}"`, props.timeout ?? defaultModelTimeout, this.#retries);
    return this.#connect(id, new Model(this.#models, id, { ...props, ...this.#ofModels() }));
  }

  /**
   * Adds a model whose code is a function in any language: events whose `modelid` is `id` go to a Lambda of
   * Milepost's, which asks that function to fold and does the rest. See docs/protocol.md.
   *
   * @example
   * import * as lambda from 'aws-cdk-lib/aws-lambda';
   * declare const tracker: ProcessTracker;
   *
   * tracker.addModelFunction('library-loan', {
   *   function: new lambda.Function(tracker, 'LibraryLoan', {
   *     runtime: lambda.Runtime.PYTHON_3_13,
   *     code: lambda.Code.fromAsset('examples/python'),
   *     handler: 'library_loan.handler',
   *   }),
   * });
   *
   * @param id 1 to 64 of a-z, 0-9 and -; the same as the function answers, or the deployment fails
   * @throws MilepostError `bad-model` for a bad id, an id that is taken, or a timeout that is too long
   */
  addModelFunction(id: string, props: ModelFunctionProps): ModelHost {
    this.#checkNew(id);
    const timeout = hostTimeout(id, props);
    checkModelTime(`model "${id}"`, timeout, this.#retries);
    const bundles = this.#bundles;
    return this.#connect(
      id,
      new ModelHost(this.#models, id, { ...props, ...this.#ofModels(), bundles, timeout }),
    );
  }

  #checkNew(id: string): void {
    if (!modelIdPattern.test(id))
      throw new MilepostError('bad-model', `model id "${id}" must be 1 to 64 of a-z, 0-9 and -`);
    if (this.#models.node.tryFindChild(id))
      throw new MilepostError('bad-model', `model "${id}" was added already`);
  }

  /** What every model gets. */
  #ofModels() {
    return {
      ...this.#logs,
      ...this.#watched,
      tables: this.#tables,
      stream: this.stream,
      notificationStream: this.#notificationStream,
      personalData: this.#personalData,
      signingKeys: this.#signingKeys,
      registrar: this.#registrar.function,
    };
  }

  /** Has a model watched and invoked. */
  #connect<Added extends Model | ModelHost>(id: string, model: Added): Added {
    this.#alarms.addModel(id, model.function);
    this.#dashboard?.addFunction(id, model.function);
    grantInvoke(this.#registrar, model.function);
    if (model instanceof Model) grantRetireVersions(this.#registrar, model.function);
    for (const invoker of this.#invokers)
      if (model instanceof Model) grantInvokeVersions(invoker, model.function);
      // What was published of it asks the function of today.
      else grantInvoke(invoker, model.function);
    // The registrar's role must let it ask the model before it is told to.
    model.registration.node.addDependency(this.#registrar.role);
    return model;
  }

  /**
   * Puts events of an EventBridge bus on the stream: those that match the pattern, each as what `event`
   * makes of it.
   *
   * @example
   * declare const tracker: ProcessTracker;
   *
   * tracker.addEventBridgeSource('Shop', {
   *   eventPattern: { source: ['com.example.shop'] },
   *   event: { modelId: 'orders', transactionId: '$.detail.orderId' },
   * });
   *
   * @throws MilepostError `bad-request` for a model id or a path that cannot be one
   */
  addEventBridgeSource(id: string, props: EventBridgeSourceProps): EventBridgeSource {
    return new EventBridgeSource(this, id, {
      ...props,
      stream: this.stream,
      encryptionKey: this.#encryptionKey,
      alarmTopic: this.#alarmTopic,
      hasModel: (model) => this.#models.node.tryFindChild(model) !== undefined,
    });
  }
}

/** How many executions to reserve; undefined: none. */
function reserved(asked: number | 'none' | undefined, usual: number): number | undefined {
  return asked === 'none' ? undefined : (asked ?? usual);
}

/** Not the CDK's own, which allows every version and alias. */
function grantInvoke(invoker: ServiceFunction, model: Function): void {
  const resources = [model.functionArn];
  invoker.function.addToRolePolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources }),
  );
}

/** Lets the registrar delete versions of a model's function. The pattern does not match the function itself. */
function grantRetireVersions(registrar: Registrar, model: Function): void {
  registrar.function.addToRolePolicy(
    new PolicyStatement({
      actions: ['lambda:ListVersionsByFunction'],
      resources: [model.functionArn],
    }),
  );
  registrar.function.addToRolePolicy(
    new PolicyStatement({
      actions: ['lambda:DeleteFunction'],
      resources: [`${model.functionArn}:*`],
    }),
  );
  Validations.of(registrar.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(model)}.Arn>:*]`,
    reason:
      'Any version may become too old. The pattern covers versions, and not the function itself.',
  });
}

/** Also the versions of its code that were published: after a rollback it is one of them. */
function grantInvokeVersions(invoker: ServiceFunction, model: Function): void {
  const resources = [model.functionArn, `${model.functionArn}:*`];
  invoker.function.addToRolePolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources }),
  );
  Validations.of(invoker.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(model)}.Arn>:*]`,
    reason: 'A version is published with every deployment, and any of them may be gone back to.',
  });
}

function acknowledgeOwnKey(scope: Construct): void {
  const reason =
    'What the CDK grants to a user of a key: both names of one operation (ReEncryptFrom and ' +
    'ReEncryptTo, GenerateDataKey with and without plaintext), on that key alone.';
  Validations.of(scope).acknowledge(
    { id: 'AwsSolutions-IAM5[Action::kms:ReEncrypt*]', reason },
    { id: 'AwsSolutions-IAM5[Action::kms:GenerateDataKey*]', reason },
    {
      id: 'AwsSolutions-KDS3',
      reason: 'Who gives a key wants it used, and pays for its requests.',
    },
  );
}

function pagesOf(
  scope: Construct,
  { operatorPages, apiTokens }: ProcessTrackerProps,
  given: Omit<OperatorPagesScopeProps, 'clientId' | 'issuer'>,
): OperatorPages | undefined {
  if (!operatorPages) return undefined;
  if (!apiTokens)
    throw new MilepostError(
      'bad-request',
      'operatorPages need apiTokens: a browser has a token of an issuer, and no AWS credentials',
    );
  const { issuer } = apiTokens;
  return new OperatorPages(scope, 'Pages', { ...operatorPages, ...given, issuer });
}

function authorizerOf({ apiAuthorizer, apiTokens }: ProcessTrackerProps): IHttpRouteAuthorizer {
  if (apiAuthorizer && apiTokens)
    throw new MilepostError('bad-request', 'apiAuthorizer and apiTokens: only one of them can be');
  if (!apiTokens) return apiAuthorizer ?? new HttpIamAuthorizer();
  const { issuer, audience } = apiTokens;
  return new HttpJwtAuthorizer('Tokens', issuer, { jwtAudience: [...audience] });
}
