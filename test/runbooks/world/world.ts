import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { InvokeCommand, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { vi } from 'vitest';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import { readSettings } from '../../../src/local/settings/settings.ts';
import { type ReadyLine, startStack } from '../../../src/local/stack.ts';
import type { Template } from '../../../src/local/template/template.ts';
import { root } from '../../support/docs/markdown.ts';
import { freePorts, ServiceClient } from '../../support/service/service.ts';
import { WebhookReceiver } from '../../support/service/webhook-receiver.ts';
import { accessLogLine } from './access-log.ts';
import { type AccountDependencies, accountServer } from './account.ts';
import { cdkCommand, cdkServer } from './cdk-command.ts';
import { Firehose } from './firehose.ts';
import { Functions } from './functions.ts';
import { LogGroups } from './log-groups.ts';
import { logPlatformReports } from './platform-reports.ts';
import { Project } from './project.ts';
import { RecordAge } from './record-age.ts';
import { type RotationRequest, SecretsManager } from './secrets-manager.ts';
import { Shell } from './shell.ts';
import { describedStack, readTemplate } from './stack.ts';
import { passCommits } from './table-stream.ts';

interface Parts {
  readonly ready: ReadyLine;
  readonly functions: Functions;
  readonly project: Project;
  readonly shell: Shell;
  readonly logs: LogGroups;
  readonly receiver: WebhookReceiver;
  readonly recordAge: RecordAge;
  readonly secrets: SecretsManager;
  readonly firehose: Firehose;
  readonly template: Template;
  readonly models: string;
  /** The folder of the failure destinations. */
  readonly buckets: string;
  readonly close: () => Promise<void>;
}

/** The files of the models that the service starts with. */
const shippedModels = {
  tickets: join(root, 'models', 'tickets', 'lambda.ts'),
  'milepost-canary': join(root, 'lambdas', 'canary-model.ts'),
};
/** The environment variables of the CDK app, with every option that the page mentions. */
const appVariables = {
  ...process.env,
  CDK_CONTEXT_JSON: JSON.stringify({ archive: true, canary: true }),
};
/** The maximum wait for an expected state, in milliseconds. */
const patience = { timeout: 20_000, interval: 50 };

/** A local service with the model `tickets`, an operator's terminal, and a receiver of its notifications. */
export class World extends ServiceClient {
  readonly functions: Functions;
  readonly project: Project;
  readonly shell: Shell;
  readonly logs: LogGroups;
  readonly receiver: WebhookReceiver;
  readonly recordAge: RecordAge;
  readonly secrets: SecretsManager;
  readonly firehose: Firehose;
  readonly buckets: string;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    super();
    this.#parts = parts;
    ({
      functions: this.functions,
      project: this.project,
      shell: this.shell,
      logs: this.logs,
      receiver: this.receiver,
      recordAge: this.recordAge,
      secrets: this.secrets,
      firehose: this.firehose,
      buckets: this.buckets,
    } = parts);
  }

  /** @param setup the definitions that the page's reader runs first */
  static async open(setup: string): Promise<World> {
    await using opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'milepost-runbooks-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const [models, data] = [join(folder, 'models'), join(folder, 'data')];
    // Link the packages that a model imports.
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules', 'milepost'));
    const schemas = join('node_modules', 'valibot');
    await symlink(join(root, schemas), join(folder, schemas));
    for (const [id, file] of Object.entries(shippedModels))
      await save(join(models, id, 'lambda.ts'), `export { handler } from ${JSON.stringify(file)};`);
    const receiver = opened.use(await WebhookReceiver.start());
    const settings = readSettings({
      ...freePorts,
      MILEPOST_DATA: data,
      MILEPOST_MODELS: models,
      MILEPOST_WEBHOOK: receiver.url,
    });
    const recordAge = new RecordAge();
    const lines = new Map<string, string[]>();
    const log = (line: string, functionName = '') =>
      void lines.set(functionName, [...(lines.get(functionName) ?? []), line]);
    logPlatformReports(log);

    const secrets = new SecretsManager();
    const firehose = new Firehose((name) => name.includes('TrackerArchiveStream'));
    const dependencies = Promise.withResolvers<AccountDependencies>();
    const services = { firehose, secrets: secrets.server };
    const account = await listening(opened, accountServer(services, dependencies.promise));
    const buckets = join(data, 'buckets');
    const { started, functions } = await Functions.of(
      () => startStack(settings, { env: appVariables, log }),
      {
        AWS_ENDPOINT_URL_FIREHOSE: account,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: account,
      },
      // Hold the canary back, because its events would mix with the events of the drills.
      'CanaryFunction',
    );
    const { ready } = opened.use(started);
    const template = await readTemplate(appVariables);
    const logs = new LogGroups(functions, lines);
    const stack = describedStack(template, ready, functions);
    dependencies.resolve({ functions, stack, logs, buckets, lambda: ready.lambda });

    const operator = join(folder, 'operator');
    const project = await Project.create(operator, functions);
    const shell = await Shell.open(operator, setup, {
      endpoints: { kinesis: ready.kinesis, dynamodb: ready.dynamodb, default: account },
      env: { MILEPOST_API: ready.api },
      npx: cdkCommand(await listening(opened, cdkServer(project))),
    });
    const all = opened.move();
    const world = new World({
      ready,
      functions,
      project,
      shell,
      logs,
      receiver,
      recordAge,
      secrets,
      firehose,
      template,
      models,
      buckets,
      close: () => all.disposeAsync(),
    });
    secrets.rotate = (request) => world.#rotateKeys(request);
    return world;
  }

  get ready(): ReadyLine {
    return this.#parts.ready;
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  /** Saves the code of a model and waits until the local service has deployed it. */
  async deployModel(id: string, code: string): Promise<void> {
    const deployed = () => this.logs.ofService(`The model ${id} was `).length;
    const before = deployed();
    await save(join(this.#parts.models, id, 'lambda.ts'), code);
    await this.until(() => deployed() > before, `${id} is deployed`);
  }

  /** Saves the code of a function. Returns its folder. */
  async saveCode(name: string, file: string, code: string): Promise<string> {
    const folder = join(this.#parts.models, '..', 'functions', name);
    await save(join(folder, file), code);
    return folder;
  }

  /** Passes the commits of an instance to the archiver. Returns true if it archived all of them. */
  passCommits(archiver: string, instance: InstanceKey): Promise<boolean> {
    const { shell, lambda } = this;
    const dependencies = { shell, lambda, archiver: this.functions.named(archiver).name };
    return passCommits(dependencies, instance).catch((error: unknown) => {
      if (error instanceof TooManyRequestsException) return false;
      throw error;
    });
  }

  /** Runs one step of a rotation of the signing keys, as Secrets Manager would. */
  async #rotateKeys(request: RotationRequest): Promise<void> {
    const { FunctionError } = await this.lambda.send(
      new InvokeCommand({
        FunctionName: this.functions.named('SigningKeysRotationFunction').name,
        Payload: JSON.stringify(request),
      }),
    );
    if (FunctionError !== undefined) throw new Error(`${request.Step} failed`);
  }

  /** Puts a record on a stream, as another system would. */
  async put(data: object | string, stream = this.ready.stream): Promise<void> {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const record = { StreamName: stream, PartitionKey: 'k', Data: Buffer.from(text) };
    await this.kinesis.send(new PutRecordCommand(record));
  }

  /** Sends a request to the API and logs it as API Gateway would. Returns the status. */
  async request(route: string, path: string, ip: string): Promise<number> {
    const { status } = await fetch(this.ready.api + path);
    this.logs.append('ApiAccess', accessLogLine(this.#parts.template, { route, ip, status }));
    return status;
  }

  /** Waits until a condition holds. @param what the condition in words, which the error contains */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    await vi.waitFor(async () => {
      if (!(await condition()))
        throw new Error(`timed out waiting until ${what}:\n${this.logs.latest()}`);
    }, patience);
  }
}

async function save(file: string, code: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, code);
}

async function listening(opened: AsyncDisposableStack, server: Server): Promise<string> {
  opened.defer(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
