import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { ReadyLine } from '../../../src/local/stack.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/**
 * How long to wait for an expected response, in milliseconds. It is shorter than the time limit of a test so that the
 * error shows the response.
 */
const patienceMs = 25_000;

/** The variables of a service that uses free ports and no data folder, to avoid interfering with other services. */
export const freePorts = {
  MILEPOST_PORT: '0',
  MILEPOST_KINESIS_PORT: '0',
  MILEPOST_DYNAMODB_PORT: '0',
  MILEPOST_LAMBDA_PORT: '0',
  MILEPOST_EVENTBRIDGE_PORT: '0',
  MILEPOST_DATA: '',
};

export interface ServiceExit {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export abstract class ServiceClient {
  /** The addresses of the service. */
  abstract readonly ready: ReadyLine;
  #kinesis: KinesisClient | undefined;
  #lambda: LambdaClient | undefined;

  get kinesis(): KinesisClient {
    this.#kinesis ??= new KinesisClient({
      endpoint: this.ready.kinesis,
      region: this.ready.region,
      credentials,
      requestHandler: new NodeHttpHandler(),
    });
    return this.#kinesis;
  }

  get lambda(): LambdaClient {
    this.#lambda ??= new LambdaClient({
      endpoint: this.ready.lambda,
      region: this.ready.region,
      credentials,
    });
    return this.#lambda;
  }

  /** Sends a request to the API. Returns the status, the JSON body, and the headers. */
  async ask<Body = Record<string, unknown>>(
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; body: Body; headers: Headers }> {
    const response = await fetch(`${this.ready.api}${path}`, init);
    return {
      status: response.status,
      body: (await response.json()) as Body,
      headers: response.headers,
    };
  }

  /** Posts events and expects the API to accept them. */
  async post(...events: readonly object[]): Promise<void> {
    const { status, body } = await this.ask('/api/events', {
      method: 'POST',
      body: JSON.stringify(events),
    });
    if (status !== 202)
      throw new Error(`the API did not accept the events: ${JSON.stringify(body)}`);
  }

  /**
   * Repeats a request until the response meets the condition.
   *
   * @param timeLimit how long to wait before failing, in milliseconds.
   */
  async eventually<Body = Record<string, unknown>>(
    path: string,
    wanted: (body: Body) => boolean,
    timeLimit = patienceMs,
  ): Promise<Body> {
    const end = Date.now() + timeLimit;
    // Wait longer each time, because frequent requests slow the service down.
    for (let waitMs = 10; ; waitMs = Math.min(1.2 * waitMs, 250)) {
      const { status, body } = await this.ask<Body>(path);
      if (status === 200 && wanted(body)) return body;
      if (Date.now() > end)
        throw new Error(
          `${path} did not meet the condition in time; it is ${status} ${JSON.stringify(body).slice(0, 500)}`,
        );
      await pause(waitMs);
    }
  }
}

/** The local service in a separate process, as users start it. */
export class Service extends ServiceClient {
  readonly process: ChildProcess;
  readonly ended: Promise<ServiceExit>;
  readonly #lines: string[] = [];
  #stderr = '';
  #ready: ReadyLine | undefined;

  private constructor(variables: Record<string, string>) {
    super();
    this.process = spawn(process.execPath, [join(root, 'bin', 'milepost.js'), 'local'], {
      cwd: root,
      env: { ...process.env, ...freePorts, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.ended = once(this.process, 'close').then(([status]) => ({
      status: status as number | null,
      stdout: this.#lines.join('\n'),
      stderr: this.#stderr,
    }));
  }

  /** Starts a service without waiting for its ready line. */
  static launch(variables: Record<string, string>): Service {
    return new Service(variables);
  }

  /** Starts a service and waits for its ready line. */
  static async start(variables: Record<string, string> = {}): Promise<Service> {
    const service = Service.launch(variables);
    const lines = createInterface({ input: service.process.stdout! });
    lines.on('line', (line) => service.#lines.push(line));
    const line = await Promise.race([once(lines, 'line'), service.ended]);
    if (!Array.isArray(line)) throw new Error(`the service did not start: ${line.stderr}`);
    service.#ready = JSON.parse(String(line[0])) as ReadyLine;
    return service;
  }

  /** Runs a service that is expected to exit, for example because of an invalid setting. */
  static run(variables: Record<string, string>): Promise<ServiceExit> {
    return Service.launch(variables).ended;
  }

  get ready(): ReadyLine {
    if (!this.#ready) throw new Error('the service is not ready');
    return this.#ready;
  }

  /** Waits for standard error to match the pattern. Returns its first group. */
  async waitForLog(pattern: RegExp): Promise<string> {
    for (;;) {
      const [, found] = pattern.exec(this.#stderr) ?? [];
      if (found !== undefined) return found;
      await once(this.process.stderr!, 'data');
    }
  }

  /** Stops the service. The default signal is SIGINT, as with Ctrl+C. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<ServiceExit> {
    this.process.kill(signal);
    return this.ended;
  }
}

export const instancePath = (model: string, transaction: string) =>
  `/api/instances/${model}/${encodeURIComponent(transaction)}`;
