import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { vi } from 'vitest';
import { readSettings } from '../../../src/local/settings/settings.ts';
import { type ReadyLine, startStack } from '../../../src/local/stack.ts';
import type { Template } from '../../../src/local/template/template.ts';
import { root } from '../../support/docs/markdown.ts';
import { freePorts, ServiceClient } from '../../support/service/service.ts';
import { WebhookReceiver } from '../../support/service/webhook-receiver.ts';
import { accessLogLine } from './access-log.ts';
import { accountServer } from './account.ts';
import { Functions } from './functions.ts';
import { LogGroups } from './log-groups.ts';
import { RecordAge } from './record-age.ts';
import { Shell } from './shell.ts';
import { describedStack, readTemplate } from './stack.ts';

interface Parts {
  readonly ready: ReadyLine;
  readonly functions: Functions;
  readonly shell: Shell;
  readonly logs: LogGroups;
  readonly receiver: WebhookReceiver;
  readonly recordAge: RecordAge;
  readonly template: Template;
  /** The folder of the models. */
  readonly models: string;
  /** The folder of the failure destinations. */
  readonly buckets: string;
  readonly close: () => Promise<void>;
}

/** The wait for an expected state, in milliseconds. */
const patience = { timeout: 20_000, interval: 50 };

/** A local service with the model tickets, an operator's terminal, and a receiver of its notifications. */
export class World extends ServiceClient {
  readonly functions: Functions;
  readonly shell: Shell;
  readonly logs: LogGroups;
  readonly receiver: WebhookReceiver;
  readonly recordAge: RecordAge;
  readonly buckets: string;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    super();
    this.#parts = parts;
    ({
      functions: this.functions,
      shell: this.shell,
      logs: this.logs,
      receiver: this.receiver,
      recordAge: this.recordAge,
      buckets: this.buckets,
    } = parts);
  }

  /** @param setup the definitions that the page's reader runs first */
  static async open(setup: string): Promise<World> {
    await using opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'milepost-runbooks-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const [models, data] = [join(folder, 'models'), join(folder, 'data')];
    // The packages that a model imports.
    await mkdir(join(folder, 'node_modules'));
    await symlink(root, join(folder, 'node_modules', 'milepost'));
    const schemas = join('node_modules', 'valibot');
    await symlink(join(root, schemas), join(folder, schemas));
    const tickets = JSON.stringify(join(root, 'models', 'tickets', 'lambda.ts'));
    await save(join(models, 'tickets', 'lambda.ts'), `export { handler } from ${tickets};`);
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
    const { started, functions } = await Functions.of(() =>
      startStack(settings, { env: process.env, log }),
    );
    const { ready } = opened.use(started);
    const template = await readTemplate();
    const logs = new LogGroups(functions, lines);
    const server = opened.adopt(
      accountServer({
        functions,
        stack: describedStack(template, ready, functions),
        logs,
        buckets: join(data, 'buckets'),
        lambda: ready.lambda,
      }),
      (each) => void each.close(),
    );
    const shell = await Shell.open(join(folder, 'shell'), setup, {
      endpoints: {
        kinesis: ready.kinesis,
        dynamodb: ready.dynamodb,
        default: await listening(server),
      },
      env: { MILEPOST_API: ready.api },
    });
    const all = opened.move();
    const buckets = join(data, 'buckets');
    const close = () => all.disposeAsync();
    return new World({
      ready,
      functions,
      shell,
      logs,
      receiver,
      recordAge,
      template,
      models,
      buckets,
      close,
    });
  }

  get ready(): ReadyLine {
    return this.#parts.ready;
  }

  close(): Promise<void> {
    return this.#parts.close();
  }

  /** Saves the code of a model, which deploys it. Waits until it is deployed. */
  async deployModel(id: string, code: string): Promise<void> {
    const deployed = () => this.logs.ofService(`The model ${id} was `).length;
    const before = deployed();
    await save(join(this.#parts.models, id, 'lambda.ts'), code);
    await this.until(() => deployed() > before, `${id} is deployed`);
  }

  /** Puts a record on a stream, like another system. */
  async put(data: object | string, stream = this.ready.stream): Promise<void> {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const record = { StreamName: stream, PartitionKey: 'k', Data: Buffer.from(text) };
    await this.kinesis.send(new PutRecordCommand(record));
  }

  /** Sends a request to the API and logs it like API Gateway. Returns the status. */
  async request(route: string, path: string, ip: string): Promise<number> {
    const { status } = await fetch(this.ready.api + path);
    this.logs.append('ApiAccess', accessLogLine(this.#parts.template, { route, ip, status }));
    return status;
  }

  /** Waits until a condition holds. @param what the condition in words, for the error */
  async until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
    await vi.waitFor(async () => {
      if (!(await condition()))
        throw new Error(`it took too long until ${what}:\n${this.logs.latest()}`);
    }, patience);
  }
}

async function save(file: string, code: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, code);
}

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
