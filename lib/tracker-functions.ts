import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { CustomerPages } from './api/customer-pages.ts';
import { Api } from './api/http-api.ts';
import { rolesOf } from './api/roles.ts';
import { Registrar } from './model-functions/registrar.ts';
import type { TrackerMetrics } from './monitoring/tracker-metrics.ts';
import type { OperatorPages } from './pages/operator-pages.ts';
import { Canary } from './pipeline/canary.ts';
import { Clock } from './pipeline/clock.ts';
import { Counter } from './pipeline/counter.ts';
import { Dispatcher } from './pipeline/dispatcher.ts';
import type { ModelRetries } from './pipeline/dispatcher-time.ts';
import { Publisher } from './pipeline/publisher.ts';
import { Wakeups } from './pipeline/wakeups.ts';
import type { ProcessTrackerProps } from './process-tracker-props.ts';
import type { ServiceProps } from './service-function.ts';
import type { Tables } from './storage/tables.ts';
import { addPages, authorizerOf } from './tracker-access.ts';
import { defaultStreamRetention, type TrackerStreams } from './tracker-streams.ts';

/** The properties that all functions of a tracker share. */
export interface SharedFunctionProps extends TrackerStreams {
  readonly service: ServiceProps;
  readonly tables: Tables;
  readonly metrics: TrackerMetrics;
  readonly retries: ModelRetries;
}

/** The functions of a tracker, except those of its models. */
export interface TrackerFunctions {
  readonly dispatcher: Dispatcher;
  /** Publishes notifications on a bus; undefined without a bus. */
  readonly publisher?: Publisher;
  readonly api: Api;
  readonly customerPages?: CustomerPages;
  readonly pages?: OperatorPages;
  readonly registrar: Registrar;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly counter: Counter;
  readonly canary?: Canary;
}

/** Adds the functions to a tracker, and the operator pages. */
export function addFunctions(
  scope: Construct,
  shared: SharedFunctionProps,
  props: ProcessTrackerProps,
): TrackerFunctions {
  const { service, tables, metrics, stream, notificationStream, eventBus, busFilter } = shared;
  const { encryptionKey, tracing = false, failureRetention = Duration.days(30) } = props;
  const common = { ...service, tables, stream };
  const dispatcher = new Dispatcher(scope, 'Dispatcher', {
    ...common,
    tracing,
    metrics,
    modelMetrics: props.modelMetrics ?? true,
    eventDataInLogs: props.eventDataInLogs ?? false,
    reservedConcurrency: props.dispatcherReservedConcurrency,
    streamRetention: props.streamRetention ?? defaultStreamRetention,
    failureRetention,
    encryptionKey,
    batchSize: props.batchSize ?? 500,
    delivery: {
      lowLatency: props.lowLatency ?? false,
      parallelizationFactor: props.parallelizationFactor,
    },
    retryAttempts: props.retryAttempts ?? -1,
    memorySize: props.dispatcherMemorySize ?? 512,
    ...shared.retries,
  });
  const publisher =
    notificationStream &&
    eventBus &&
    new Publisher(scope, 'Publisher', {
      ...service,
      tables,
      metrics,
      stream: notificationStream,
      eventBus,
      busFilter,
      failures: dispatcher.failures,
    });
  const api = new Api(scope, 'Api', {
    ...common,
    notificationStream,
    tracing,
    reservedConcurrency: reservedConcurrencyOf(props.apiReservedConcurrency, 100),
    throttle: { rateLimit: 500, burstLimit: 1_000, ...props.apiThrottle },
    memorySize: props.apiMemorySize ?? 512,
    authorizer: authorizerOf(props),
    ...(props.apiTokens && { roles: rolesOf(props.apiTokens) }),
    corsOrigins: props.apiCorsOrigins ?? [],
    customerPages: props.customerPages ?? false,
    encryptionKey,
  });
  const customerPages =
    api.linkKey &&
    new CustomerPages(scope, 'CustomerPages', {
      ...service,
      tables,
      api,
      linkKey: api.linkKey,
      reservedConcurrency: reservedConcurrencyOf(props.customerPagesReservedConcurrency, 10),
      throttle: { rateLimit: 50, burstLimit: 100, ...props.customerPagesThrottle },
    });
  const clock = new Clock(scope, 'Clock', {
    ...common,
    metrics,
    reservedConcurrency: props.clockReservedConcurrency,
  });
  const wakeups = new Wakeups(scope, 'Wakeups', common);
  wakeups.connect(clock.function);
  return {
    dispatcher,
    publisher,
    api,
    customerPages,
    pages: addPages(scope, props, { ...service, httpApi: api.httpApi, encryptionKey }),
    registrar: new Registrar(scope, 'Registrar', common),
    ...(props.canary && { canary: new Canary(scope, 'Canary', { ...common, metrics }) }),
    counter: new Counter(scope, 'Counter', { ...service, tables, metrics }),
    clock,
    wakeups,
  };
}

/** Returns the number of executions to reserve, or undefined to reserve none. */
function reservedConcurrencyOf(
  asked: number | 'none' | undefined,
  usual: number,
): number | undefined {
  return asked === 'none' ? undefined : (asked ?? usual);
}
