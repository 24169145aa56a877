import { region } from '../aws-local/account.ts';
import { createHttpGateway } from '../aws-local/api-gateway/http-gateway.ts';
import { functionUrl } from '../aws-local/api-gateway/ingress.ts';
import { type Endpoint, startDynamoDb, startKinesis } from '../aws-local/endpoints/index.ts';
import type { EventSource } from '../aws-local/event-source/event-source.ts';
import type { Log } from '../aws-local/event-source/options.ts';
import type { ReceivedEvent } from '../aws-local/eventbridge/bus-event.ts';
import { startEventBus } from '../aws-local/eventbridge/event-bus.ts';
import { type RuleTargets, ruleTargets } from '../aws-local/eventbridge/rule-targets.ts';
import { streamRule } from '../aws-local/eventbridge/stream-rule.ts';
import { createKmsServer } from '../aws-local/kms/kms-server.ts';
import { createInvokeServer } from '../aws-local/lambda/invoke-server.ts';
import { LambdaHost } from '../aws-local/lambda/lambda-host.ts';
import { createSecretsServer } from '../aws-local/secrets-manager/secrets-manager-server.ts';
import { listen } from '../aws-local/server/listen.ts';
import { onPort } from '../aws-local/server/on-port.ts';
import { messageOf } from '../common/message-of.ts';
import { defineService } from './define-service.ts';
import { deploy, redeploy } from './deploy/deploy.ts';
import { localPages } from './pages/local-pages.ts';
import { createPagesServer } from './pages/pages-server.ts';
import { kinesisClient, runtimeEnvironment } from './running/aws-clients.ts';
import { eventSource } from './running/event-sources.ts';
import { createHealthServer } from './running/health-server.ts';
import { notificationIdentity } from './running/notification-identity.ts';
import { startSchedule } from './running/schedules.ts';
import { openDataFolder } from './settings/data-folder.ts';
import { type LocalSettings, portVariables } from './settings/settings.ts';
import type { ServiceDefinition } from './template/service-definition.ts';
import { removeOtherBundles } from './user-models/bundle-model.ts';
import { faultyModel } from './user-models/check-model.ts';
import { modelReloader, type RunningService } from './user-models/reload-models.ts';
import { watchModels } from './user-models/watch-models.ts';

/** The line that says that everything answers. */
export interface Ready {
  readonly ready: true;
  readonly api: string;
  readonly kinesis: string;
  readonly dynamodb: string;
  readonly lambda: string;
  readonly stream: string;
  readonly region: string;
}

/** The whole service, running on this machine. Disposing of it stops it. */
export interface LocalStack extends AsyncDisposable {
  readonly ready: Ready;
  /** Resolves, with what happened, when a part of it ended by itself. */
  readonly failed: Promise<string>;
}

/** What the service may know of the process that it runs in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

/**
 * Starts the service from what the CDK app defines: tables, streams, functions
 * and what joins them.
 *
 * @throws StartError or EndpointError, with a reason in one line; then nothing is left running.
 */
export async function startStack(
  settings: LocalSettings,
  { env, log }: Surroundings,
): Promise<LocalStack> {
  await using started = new AsyncDisposableStack();
  const folder = await openDataFolder(settings.dataFolder);
  started.defer(() => folder.dispose());
  // Before the functions that publish, so that it ends after them.
  const { host: listenHost, models, webhooks } = settings;
  const targets = Promise.withResolvers<RuleTargets>();
  const bus = {
    webhooks: { ...webhooks, userAgent: 'Milepost', identify: notificationIdentity },
    files: folder,
    portVariable: portVariables.eventBridge,
    host: listenHost,
    ports: settings.eventBridgePorts,
    targets: async (events: readonly ReceivedEvent[]) => (await targets.promise)(events),
    log,
  };
  const eventBus = started.use(await startEventBus(bus));

  // Ports first: one that is taken shows at once. Requests wait until the service is there.
  const muted = new Set<string>();
  const functionLines = functionLog(log, muted);
  const host = new LambdaHost({ functions: [], runtimeEnvironment: {}, log: functionLines });
  started.defer(() => host.close());
  const lambda = started.use(
    await onPort(
      portVariables.lambda,
      listen(createInvokeServer(host), settings.ports.lambda, { host: listenHost }),
    ),
  );
  const routes = Promise.withResolvers<ServiceDefinition['routes']>();
  const gateway = createHttpGateway({
    routes: routes.promise,
    invoke: (functionName, payload) => host.invoke({ functionName, payload }),
    // Routes are matched as in AWS. The function sees the path as it was on the wire, so that every
    // transaction id can be used; an HTTP API decodes it twice (decisions 0003 and 0020).
    ingress: functionUrl,
    log,
  });
  const pages = localPages().catch((error: unknown): undefined => {
    log(`There are no pages: ${messageOf(error)}`);
  });
  const sources: { readonly stream: string; readonly source: EventSource }[] = [];
  const health = createHealthServer(gateway, () =>
    sources.flatMap(({ stream, source }) =>
      source.stalledShards().map((shard) => ({ stream, ...shard })),
    ),
  );
  const server = createPagesServer(health, pages);
  const api = started.use(
    await onPort(
      portVariables.api,
      listen(server, settings.ports.api, { host: listenHost, answersOrigins: true }),
    ),
  );

  const place = { host: listenHost, dataFolder: folder.endpoints };
  const [dynamodb, kinesis, service] = await together(
    closing(
      started,
      onPort(portVariables.dynamodb, startDynamoDb({ ...place, port: settings.ports.dynamodb })),
    ),
    closing(
      started,
      onPort(portVariables.kinesis, startKinesis({ ...place, port: settings.ports.kinesis })),
    ),
    async (signal) => {
      // They are bundled by the same process of esbuild, which ends when the pages are there.
      if (models) await pages;
      return defineService(models?.folder, { bundles: folder.models, env, signal });
    },
  );
  const secrets = started.use(
    await listen(createSecretsServer(folder.secrets, service.secrets), 0),
  );
  const kms = started.use(await listen(createKmsServer(folder.dataKey), 0));
  const urls = { kinesis: kinesis.url, dynamodb: dynamodb.url, lambda: lambda.url };
  const client = kinesisClient(urls.kinesis);
  started.defer(() => client.destroy());

  const target = { dynamodbUrl: urls.dynamodb, kinesis: client, host, folder };
  const others = { eventbridge: eventBus.url, kms: kms.url, secretsManager: secrets.url };
  const variables = runtimeEnvironment({ ...urls, ...others });
  try {
    await deploy(service, target, variables);
  } catch (error) {
    throw (models && (await faultyModel(service, host, error))) || error;
  }
  targets.resolve(ruleTargets(client, service.busRules.map(streamRule)));
  for (const definition of service.eventSources) {
    const source = eventSource(definition, { kinesis: client, host, folder, log: toLine(log) });
    await source.start();
    sources.push({ stream: definition.streamName, source });
    kinesis.onPut(() => source.readNow());
    started.defer(() => source.stop());
  }
  for (const definition of service.schedules) {
    const schedule = startSchedule(definition, { invoke: (call) => host.invoke(call), log, muted });
    started.defer(() => schedule.stop());
  }
  if (models) {
    const used = service.functions.map(({ codePath }) => codePath);
    await removeOtherBundles(folder.models, new Set(used));
  }
  if (models?.reload) {
    const register: RunningService['register'] = (next) => redeploy(next, target, variables);
    const take = modelReloader({ service, host, variables, register, path: env.PATH, log });
    started.use(watchModels(models.folder, { bundles: folder.models, take, log }));
  }
  for (const line of service.notHere) log(line);
  log(`EventBridge's PutEvents is at ${eventBus.url}`);
  routes.resolve(service.routes);

  const running = started.move();
  return {
    ready: { ready: true, api: api.url, ...urls, stream: service.streams[0]!.name, region },
    failed: Promise.race([ended('DynamoDB', dynamodb), ended('Kinesis', kinesis)]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Waits for both endpoints and the service's definition. When one fails, the others are not left half done. */
async function together(
  dynamodb: Promise<Endpoint>,
  kinesis: Promise<Endpoint>,
  define: (signal: AbortSignal) => Promise<ServiceDefinition>,
): Promise<[Endpoint, Endpoint, ServiceDefinition]> {
  const failed = new AbortController();
  const all = [dynamodb, kinesis, define(failed.signal)] as const;
  try {
    return await Promise.all(all);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(all);
    throw error;
  }
}

/** Has an endpoint closed with everything else, from the moment that it runs. */
async function closing(
  started: AsyncDisposableStack,
  starting: Promise<Endpoint>,
): Promise<Endpoint> {
  return started.adopt(await starting, (endpoint) => endpoint.close());
}

/** Resolves when an endpoint ended though nobody asked it to. */
function ended(name: string, endpoint: Endpoint): Promise<string> {
  const unexpected = Promise.withResolvers<string>();
  void endpoint.exited.then(({ expected, signal, status, lastWords }) => {
    const how = signal ?? `status ${status}`;
    if (!expected) unexpected.resolve(`the ${name} endpoint ended (${how}) ${lastWords}`.trim());
  });
  return unexpected.promise;
}

// What Lambda itself logs of each invoke, and what CloudWatch would make metrics of, would bury what
// the functions say.
const linesForAws = /^(?:(?:START|END|REPORT|INIT_START|INIT_REPORT) |\{"_aws":)/;

function functionLog(log: (line: string) => void, muted: ReadonlySet<string>) {
  return (line: string, functionName: string) => {
    if (muted.has(functionName)) return;
    // Lambda joins the lines of a message by a character that a terminal takes as going back.
    if (!linesForAws.test(line) && line.trim() !== '') log(line.replaceAll('\r', '\n'));
  };
}

const toLine =
  (log: (line: string) => void): Log =>
  (message, fields) =>
    log(fields ? `${message} ${JSON.stringify(fields)}` : message);
