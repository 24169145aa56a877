import { region } from '../aws-local/account.ts';
import type { PublishedEvent } from '../aws-local/eventbridge/bus-event.ts';
import { startEventBus } from '../aws-local/eventbridge/event-bus.ts';
import { type RuleTargets, ruleTargets } from '../aws-local/eventbridge/rule-targets.ts';
import { compileRule } from '../aws-local/eventbridge/stream-rule.ts';
import { createKmsServer } from '../aws-local/kms/kms-server.ts';
import { createInvokeServer } from '../aws-local/lambda/invoke-server.ts';
import { LambdaHost } from '../aws-local/lambda/lambda-host.ts';
import { createSecretsManagerServer } from '../aws-local/secrets-manager/secrets-manager-server.ts';
import { listen } from '../aws-local/server/listen.ts';
import { withPortVariable } from '../aws-local/server/port-variable.ts';
import { StartError } from '../aws-local/server/start-error.ts';
import { defineService } from './define-service.ts';
import { deploy, redeploy } from './deploy/deploy.ts';
import { lazyPages } from './pages/lazy-pages.ts';
import { localPages } from './pages/local-pages.ts';
import { createApiServer } from './running/api-server.ts';
import { kinesisClient, runtimeEnvironment } from './running/aws-clients.ts';
import { allOrNone, startEndpoints } from './running/endpoints.ts';
import { identifyNotification } from './running/identify-notification.ts';
import { functionLog } from './running/log-lines.ts';
import { type Processing, startProcessing } from './running/processing.ts';
import { warmUp } from './running/warm-up.ts';
import { webhookWarning } from './running/webhook-warning.ts';
import { type DataFolder, openDataFolder } from './settings/data-folder.ts';
import { type LocalSettings, portVariables } from './settings/settings.ts';
import type { ServiceDefinition } from './template/service-definition.ts';
import { removeOtherBundles } from './user-models/bundle-model.ts';
import { findFaultyModel } from './user-models/check-model.ts';
import { createModelReloader, type RunningService } from './user-models/reload-models.ts';
import { watchModels } from './user-models/watch-models.ts';

/** The content of the line that is printed when every endpoint is ready. */
export interface ReadyLine {
  readonly ready: true;
  readonly api: string;
  readonly kinesis: string;
  readonly dynamodb: string;
  readonly lambda: string;
  readonly stream: string;
  readonly region: string;
}

/** The complete service, running on this machine. Disposing this object stops the service. */
export interface LocalStack extends AsyncDisposable {
  readonly ready: ReadyLine;
  /** Resolves with the reason if part of the service exits unexpectedly. */
  readonly failed: Promise<string>;
}

export interface StackDependencies {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @param functionName the function that logged the line; undefined if the service itself logged it. */
  readonly log: (line: string, functionName?: string) => void;
}

/**
 * Starts the service that the CDK app defines: tables, streams, functions, and the connections between them.
 *
 * @throws Error with the reason, usually a StartError or an EndpointError. In this case, no part of the service keeps
 * running.
 */
export async function startStack(
  settings: LocalSettings,
  { env, log }: StackDependencies,
): Promise<LocalStack> {
  await using started = new AsyncDisposableStack();
  const { host: listenHost, ports, models, webhooks, demo } = settings;
  const folder = await openDataFolder(settings.dataFolder);
  started.defer(() => folder.dispose());

  // 1. Listen on the ports of the servers in this process first so that a conflict is reported immediately. Requests
  // to the API and the event bus wait until the service is ready. The event bus starts before the functions that
  // publish to it so that it stops after them.
  const targets = Promise.withResolvers<RuleTargets>();
  const eventBus = started.use(
    await startEventBus({
      webhooks: { ...webhooks, userAgent: 'Milepost', identify: identifyNotification },
      files: folder,
      portVariable: portVariables.eventBridge,
      host: listenHost,
      ports: settings.eventBridgePorts,
      targets: async (events: readonly PublishedEvent[]) => (await targets.promise)(events),
      log,
    }),
  );
  const muted = new Set<string>();
  const host = new LambdaHost({
    functions: [],
    runtimeEnvironment: {},
    log: functionLog(log, muted),
  });
  started.defer(() => host.close());
  let processing: Processing | undefined;
  const lambdaApi = createInvokeServer(host, { list: () => processing?.mappings ?? [], log });
  const lambda = started.use(
    await withPortVariable(
      portVariables.lambda,
      listen(lambdaApi, ports.lambda, { host: listenHost }),
    ),
  );
  const routes = Promise.withResolvers<ServiceDefinition['routes']>();
  const pages = lazyPages(localPages, log);
  const stalledShards = () => processing?.stalledShards() ?? [];
  const server = createApiServer({ routes: routes.promise, host, pages, stalledShards, log });
  const api = started.use(
    await withPortVariable(
      portVariables.api,
      listen(server, ports.api, { host: listenHost, checksOrigins: true }),
    ),
  );

  // 2. Start DynamoDB and Kinesis while the CDK app is synthesized and the models are bundled. Log the start only after
  // all ports are open so that a start that fails because of a port or another setting logs only the reason.
  const failed = new AbortController();
  const starting = startEndpoints(settings, folder.endpoints).then((running) => {
    log('Milepost is starting…');
    return started.use(running);
  });
  const options = { bundles: folder.bundles, env, signal: failed.signal, demo };
  const defining = defineService(models?.folder, options);
  const [endpoints, service] = await allOrNone([starting, defining], failed);
  const { dynamodb, kinesis } = endpoints;
  const secrets = started.use(
    await listen(createSecretsManagerServer(folder.secrets, service.secrets), 0),
  );
  const kms = started.use(await listen(createKmsServer(folder.dataKey), 0));

  // 3. Deploy the service: functions, tables, streams, custom resources.
  const urls = { kinesis: kinesis.url, dynamodb: dynamodb.url, lambda: lambda.url };
  const client = kinesisClient(urls.kinesis);
  started.defer(() => client.destroy());
  const target = { dynamodbUrl: urls.dynamodb, kinesis: client, host, folder };
  const others = { eventbridge: eventBus.url, kms: kms.url, secretsManager: secrets.url };
  const variables = runtimeEnvironment({ ...urls, ...others });
  try {
    await deploy(service, target, variables);
  } catch (error) {
    // If an endpoint has exited, the deployment's requests failed for this reason.
    const reason = await Promise.race([endpoints.failed, Promise.resolve()]);
    if (typeof reason === 'string') throw new StartError(reason, { cause: error });
    throw (await findFaultyModel(service, host, error)) ?? error;
  }

  // 4. Start processing: rules, event sources, schedules.
  targets.resolve(ruleTargets(client, service.busRules.map(compileRule)));
  const processes = { kinesis, dynamodb, host, folder, log, muted };
  processing = started.use(await startProcessing(service, processes));

  // 5. Reload models when their files are saved.
  const running = { service, host, environment: variables, path: env.PATH, log };
  const register: RunningService['register'] = (next) => redeploy(next, target, variables);
  if (models) started.use(await watchForSaves(models, folder, { ...running, register }));

  // 6. Respond to the waiting requests.
  for (const line of service.unsupported) log(line);
  const warning = webhookWarning(service, webhooks);
  if (warning !== undefined) log(warning);
  log(`EventBridge endpoint (PutEvents): ${eventBus.url}`);
  routes.resolve(service.routes);
  await warmUp(api.url);
  const stack = started.move();
  return {
    ready: { ready: true, api: api.url, ...urls, stream: service.streams[0]!.name, region },
    failed: endpoints.failed,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Removes the bundles of earlier runs. Unless reloading is off, reloads models when they are saved. */
async function watchForSaves(
  { folder, reload }: NonNullable<LocalSettings['models']>,
  { bundles }: DataFolder,
  running: RunningService,
): Promise<AsyncDisposable> {
  const used = running.service.functions.map(({ codePath }) => codePath);
  await removeOtherBundles(bundles, new Set(used));
  if (!reload) return new AsyncDisposableStack();
  return watchModels(folder, { bundles, deploy: createModelReloader(running), log: running.log });
}
