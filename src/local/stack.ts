import type { KinesisClient } from '@aws-sdk/client-kinesis';
import {
  accountId,
  dynamoDbClient,
  kinesisClient,
  region,
  runtimeEnvironment,
} from './aws-clients.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { createStreams } from './deploy/create-streams.ts';
import { createTables } from './deploy/create-tables.ts';
import { deployCustomResources } from './deploy/custom-resources.ts';
import { type Endpoint, startDynamoDb, startKinesis } from './endpoints/index.ts';
import type { Log } from './event-source/ports.ts';
import { eventSource } from './event-sources.ts';
import { createHttpGateway } from './http-gateway/http-gateway.ts';
import { createInvokeServer } from './lambda/invoke-server.ts';
import { LambdaHost } from './lambda/lambda-host.ts';
import { listen } from './listen.ts';
import type { LocalSettings } from './settings.ts';
import { readCloudAssembly } from './template/cloud-assembly.ts';
import type { ServiceDefinition } from './template/service-definition.ts';
import { synthesise } from './template/synthesise.ts';

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

  const endpoint = async (starting: Promise<Endpoint>) =>
    started.adopt(await starting, (running) => running.close());
  const place = { dataFolder: folder.endpoints };
  const outcomes = await Promise.allSettled([
    endpoint(startDynamoDb({ ...place, port: settings.ports.dynamodb })),
    endpoint(startKinesis({ ...place, port: settings.ports.kinesis })),
    synthesise(folder.assembly, env),
  ]);
  const [dynamodb, kinesis] = unwrap(outcomes);

  const host = new LambdaHost({ functions: [], runtimeEnvironment: {}, log: functionLog(log) });
  started.defer(() => host.close());
  const lambda = started.use(await listen(createInvokeServer(host), settings.ports.lambda));
  const urls = { dynamodb: dynamodb.url, kinesis: kinesis.url, lambda: lambda.url };

  const stackName = 'Milepost';
  const service = await readCloudAssembly(folder.assembly, { stackName, region, accountId });
  for (const definition of service.functions)
    host.define({
      ...definition,
      environment: { ...definition.environment, ...runtimeEnvironment(urls) },
    });
  const client = kinesisClient(kinesis.url);
  started.defer(() => client.destroy());
  await deploy(service, dynamodb.url, client, host, folder);

  for (const definition of service.eventSources) {
    const source = eventSource(definition, { kinesis: client, host, folder, log: withFields(log) });
    await source.start();
    started.defer(() => source.stop());
  }
  const gateway = createHttpGateway({
    invoke: (payload) => host.invoke({ functionName: service.httpFunction, payload }),
    log,
  });
  const api = started.use(await listen(gateway, settings.ports.api));

  const ready: Ready = {
    ready: true,
    api: api.url,
    ...urls,
    stream: service.streams[0]!.name,
    region,
  };
  const running = started.move();
  return {
    ready,
    failed: Promise.race([ended('DynamoDB', dynamodb), ended('Kinesis', kinesis)]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Brings up what the functions work with, and registers the models. */
async function deploy(
  service: ServiceDefinition,
  dynamodbUrl: string,
  kinesis: KinesisClient,
  host: LambdaHost,
  folder: DataFolder,
): Promise<void> {
  const dynamodb = dynamoDbClient(dynamodbUrl);
  await Promise.all([
    createTables(dynamodb, service.tables),
    createStreams(kinesis, service.streams),
  ]);
  dynamodb.destroy();
  const invoke = async (functionName: string, payload: string) => {
    const { functionError, payload: answer } = await host.invoke({ functionName, payload });
    if (functionError) throw new Error(`${functionName} failed: ${answer}`);
  };
  const deployed = await folder.readDeployed();
  const now = await deployCustomResources(invoke, service.customResources, deployed);
  await folder.writeDeployed(now);
}

/** All values, once everything has ended, so that what did start can be stopped. */
function unwrap<Values extends readonly unknown[]>(
  outcomes: {
    readonly [Index in keyof Values]: PromiseSettledResult<Values[Index]>;
  },
): Values {
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }) as unknown as Values;
}

async function ended(name: string, endpoint: Endpoint): Promise<string> {
  const { signal, status, lastWords } = await endpoint.exited;
  return `the ${name} endpoint ended (${signal ?? `status ${status}`}) ${lastWords}`.trim();
}

// What Lambda itself logs of each invoke would bury what the functions say.
const invocationLines = /^(?:START|END|REPORT|INIT_START|INIT_REPORT) /;

function functionLog(log: (line: string) => void) {
  return (line: string) => {
    if (!invocationLines.test(line) && line.trim() !== '') log(line);
  };
}

const withFields =
  (log: (line: string) => void): Log =>
  (message, fields) =>
    log(fields ? `${message} ${JSON.stringify(fields)}` : message);
