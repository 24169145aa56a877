import { Duration, RemovalPolicy, Tags, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { addChecks } from './api/checks.ts';
import { CustomerLinks } from './api/customer-links.ts';
import { PersonalData } from './keys/personal-data.ts';
import { SigningKeys } from './keys/signing-keys.ts';
import { defaultModelTimeout, type Model, type ModelProps } from './model-functions/model.ts';
import type { ModelFunctionProps, ModelHost } from './model-functions/model-host.ts';
import { TrackerMetrics } from './monitoring/tracker-metrics.ts';
import { trackerTag } from './options/check-tags.ts';
import { checkTrackerProps } from './options/check-tracker-props.ts';
import type { OperatorPages } from './pages/operator-pages.ts';
import { requireModels, warnOfSimilarTypes } from './pipeline/bus-filter.ts';
import { checkModelTime } from './pipeline/dispatcher-time.ts';
import { EventBridgeSource, type EventBridgeSourceProps } from './pipeline/event-bridge-source.ts';
import type { NotificationStream } from './pipeline/notification-stream.ts';
import type { ProcessTrackerProps } from './process-tracker-props.ts';
import { builtBundles } from './service-function.ts';
import { Archive } from './storage/archive.ts';
import { Tables } from './storage/tables.ts';
import { addFunctions } from './tracker-functions.ts';
import { type ModelConnections, TrackerModels } from './tracker-models.ts';
import { addMonitoring } from './tracker-monitoring.ts';
import { addStreams, defaultStreamName } from './tracker-streams.ts';

/**
 * A process status tracker: a stream for events, a dispatcher that passes them to models, tables that store the
 * instances, and an HTTP API.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const tracker = new ProcessTracker(stack, 'Tracker');
 * tracker.addModel('orders', { entry: 'models/orders/lambda.ts' });
 */
export class ProcessTracker extends Construct {
  /** The stream on which producers put events. Use `stream.grantWrite(role)` to grant access. */
  readonly stream: Stream;
  /** The instances with their history, state, and status. */
  readonly instancesTable: Table;
  /** The registry of models. */
  readonly registryTable: Table;
  /** The dead letters: rejected records and the records of parked events, each with its bytes and the reason. */
  readonly deadLettersTable: Table;
  /** The counters of instances. */
  readonly countersTable: Table;
  /** The bucket for records that the dispatcher or the publisher could not process before the retries ended. */
  readonly failureBucket: Bucket;
  /** The function that passes records from the stream to the models. */
  readonly dispatcher: Function;
  /** The HTTP API. Use it to grant access or to add routes. */
  readonly httpApi: HttpApi;
  /** The URL of the HTTP API, with a trailing slash. */
  readonly apiUrl: string;
  /** The archive of events; undefined unless `archive` is true. */
  readonly archive?: Archive;

  readonly #eventBus?: IEventBus;
  readonly #notificationStream?: NotificationStream;
  readonly #pages?: OperatorPages;
  readonly #models: TrackerModels;
  readonly #connections: ModelConnections;
  readonly #alarmTopic?: ITopic;

  /**
   * @param scope the stack, or another construct, that contains the tracker.
   * @param id the construct's id in `scope`.
   * @param props the tracker's settings; each has a default.
   * @throws MilepostError `bad-request` for an invalid setting, and `bad-model` if the retries of a failing event would
   *   exceed the dispatcher's timeout.
   */
  constructor(scope: Construct, id: string, props: ProcessTrackerProps = {}) {
    super(scope, id);
    checkTrackerProps(this, props);
    const { streamName = defaultStreamName, bundles = builtBundles, encryptionKey } = props;
    const { removalPolicy = RemovalPolicy.RETAIN, logRetention = RetentionDays.ONE_MONTH } = props;
    const service = { logRetention, removalPolicy, bundles };
    const { modelAttempts = 3, modelBackoff = Duration.millis(200) } = props;
    const { signingKeyRotation = Duration.days(90) } = props;
    const retries = { modelAttempts, modelBackoff };
    checkModelTime('the tracker', defaultModelTimeout, retries);
    this.#models = new TrackerModels(this, 'Models', retries);
    this.#alarmTopic = props.alarmTopic;

    const tags = { [trackerTag]: streamName, ...props.tags };
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value);

    if (encryptionKey) acknowledgeOwnKey(this);
    const tables = new Tables(this, 'Tables', {
      encryptionKey,
      removalPolicy,
      hasPersonalData: props.personalData,
      instancesCapacity: props.instancesCapacity,
    });
    this.instancesTable = tables.instances;
    this.registryTable = tables.registry;
    this.deadLettersTable = tables.deadLetters;
    this.countersTable = tables.counters;

    const streams = addStreams(this, props);
    const { stream, notificationStream } = streams;
    this.stream = stream;
    this.#notificationStream = notificationStream;
    this.#eventBus = streams.eventBus;
    if (streams.busFilter) {
      requireModels(this, streams.busFilter, (id) => this.#models.has(id));
      warnOfSimilarTypes(this, streams.busFilter);
    }

    const metrics = new TrackerMetrics(streamName);
    const shared = { ...streams, service, tables, metrics, retries };
    const functions = addFunctions(this, shared, props);
    const { dispatcher, api, customerPages, clock, wakeups, registrar } = functions;
    this.dispatcher = dispatcher.function;
    this.failureBucket = dispatcher.failures;
    this.httpApi = api.httpApi;
    this.apiUrl = api.url;
    this.#pages = functions.pages;

    const signingKeys = new SigningKeys(this, 'SigningKeys', {
      ...service,
      encryptionKey,
      rotation: signingKeyRotation,
    });
    for (const { function: reader } of [dispatcher, api, clock, wakeups])
      signingKeys.grantRead(reader);

    const personalData = props.personalData
      ? new PersonalData(this, 'PersonalData', { encryptionKey, removalPolicy })
      : undefined;
    personalData?.grantSeal(dispatcher.function);
    personalData?.grantForget(api.function);
    if (customerPages) {
      const links = new CustomerLinks(this, 'CustomerLinks', { encryptionKey, removalPolicy });
      links.grantManage(api.function);
      links.grantFollow(customerPages.function);
    }
    if (props.archive)
      this.archive = new Archive(this, 'Archive', {
        ...service,
        tables,
        metrics,
        encryptionKey,
        alarmTopic: props.alarmTopic,
        models: () => this.#models.ids,
      });

    const readers = [dispatcher, functions.publisher, functions.counter];
    clock.watch(
      readers.flatMap((reader) => reader?.source ?? []),
      [wakeups.source, ...(this.archive ? [this.archive.source] : [])],
    );
    addChecks(api, {
      ...streams,
      ...functions,
      tables,
      archive: this.archive,
    });

    const monitored = { ...streams, tables, functions, signingKeys, metrics };
    const monitoring = addMonitoring(this, monitored, props);
    monitoring.alarms.all.push(...(this.archive?.alarms ?? []));
    const { tracing = false, eventDataInLogs = false, modelMetrics = true } = props;
    this.#connections = {
      scopeProps: {
        ...service,
        tracing,
        eventDataInLogs,
        metrics: modelMetrics ? metrics : undefined,
        tables,
        stream,
        notificationStream,
        personalData,
        signingKeys,
        wakeups,
      },
      registrar,
      invokers: [dispatcher, api],
      monitoring,
    };
    if (functions.canary) this.#models.addCanary(this.#connections);
  }

  /**
   * The alarms of the tracker, and of the models and EventBridge sources added so far. Use them to add alarm actions.
   */
  get alarms(): readonly Alarm[] {
    return this.#connections.monitoring.alarms.all;
  }

  /**
   * The bus on which notifications are published. Use it as the bus of your rules.
   *
   * @throws Error if the tracker has no bus, because a rule without a bus would use the default bus.
   */
  get notifications(): IEventBus {
    if (!this.#eventBus)
      throw new Error(
        'the tracker has no notification bus; set `notifications` to Notifications.toNewBus() or toBus()',
      );
    return this.#eventBus;
  }

  /**
   * The notification stream, which your consumers can read. Use `grantRead` to grant them access.
   *
   * @throws Error if the tracker uses `Notifications.none()`.
   */
  get notificationStream(): Stream {
    if (!this.#notificationStream)
      throw new Error('the tracker has no notification stream; remove Notifications.none()');
    return this.#notificationStream;
  }

  /**
   * The operator pages.
   *
   * @throws Error if `operatorPages` is not set.
   */
  get pages(): OperatorPages {
    if (!this.#pages) throw new Error('the tracker has no pages; set `operatorPages`');
    return this.#pages;
  }

  /**
   * Adds a model, which receives the events whose `modelid` is `id`. Removing the call removes the model from the
   * registry; its instances remain.
   *
   * @param id the model's id: 1 to 64 characters from a-z, 0-9, and -. The deployment fails if the id in the model
   *   differs.
   * @param props the model's code and the settings of its function.
   * @throws MilepostError `bad-model` for an invalid, reserved, or duplicate id, or a timeout that is too long, and
   *   `bad-request` for another invalid setting.
   */
  addModel(id: string, props: ModelProps): Model {
    return this.#models.add(id, props, this.#connections);
  }

  /**
   * Adds a model whose code is a function in any language. Events whose `modelid` is `id` are sent to one of Milepost's
   * Lambda functions, which calls the model's function to fold them and stores the results. See
   * docs/reference/model-function-protocol.md.
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
   * @param id the model's id: 1 to 64 characters from a-z, 0-9, and -. The deployment fails if the function returns a
   *   different id.
   * @param props the function, and the settings of Milepost's Lambda function that calls it.
   * @throws MilepostError `bad-model` for an invalid, reserved, or duplicate id, or a timeout that is too long, and
   *   `bad-request` for another invalid setting.
   */
  addModelFunction(id: string, props: ModelFunctionProps): ModelHost {
    return this.#models.addFunction(id, props, this.#connections);
  }

  /**
   * Adds a rule that puts events from an EventBridge bus on the stream if they match `eventPattern`, and maps each
   * event to a Milepost event with `event`.
   *
   * @example
   * declare const tracker: ProcessTracker;
   *
   * tracker.addEventBridgeSource('Shop', {
   *   eventPattern: { source: ['com.example.shop'] },
   *   event: { modelId: 'orders', transactionId: '$.detail.orderId' },
   * });
   *
   * @param id the id of the construct.
   * @param props the pattern of the events, and their mapping to Milepost events.
   * @throws MilepostError `bad-request` if the pattern is missing or matches a reserved source, or if the mapping is
   *   invalid or too large.
   */
  addEventBridgeSource(id: string, props: EventBridgeSourceProps): EventBridgeSource {
    const source = new EventBridgeSource(this, id, {
      ...props,
      stream: this.stream,
      alarmTopic: this.#alarmTopic,
      hasModel: (model) => this.#models.has(model),
    });
    this.#connections.monitoring.alarms.all.push(source.alarm);
    return source;
  }
}

function acknowledgeOwnKey(scope: Construct): void {
  const reason =
    'The CDK grants these actions to users of a key: both variants of an operation (ReEncryptFrom and ' +
    'ReEncryptTo, GenerateDataKey with and without plaintext), only on that key.';
  Validations.of(scope).acknowledge(
    { id: 'AwsSolutions-IAM5[Action::kms:ReEncrypt*]', reason },
    { id: 'AwsSolutions-IAM5[Action::kms:GenerateDataKey*]', reason },
    {
      id: 'AwsSolutions-KDS3',
      reason: 'The owner of a customer managed key pays for the requests that use it.',
    },
  );
}
