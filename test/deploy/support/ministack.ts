import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { vi } from 'vitest';
import { virtualEnvironment } from '../../support/virtual-environment.ts';

/**
 * An emulated account, empty, in a process of its own, with its files in a folder of its own.
 *
 * It asks what AWS asks: that policies allow each call, our functions' own among them (`AUTH`). The
 * CDK's bucket and ours then take nothing without TLS (`USE_SSL`), as on AWS.
 */
export class MiniStack {
  readonly endpoint: string;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;

  private constructor(folder: string, port: number, python: string) {
    this.#folder = folder;
    this.endpoint = `https://127.0.0.1:${port}`;
    // Its own command listens on port 443 too; the server that it is made for does not.
    const settings = ['-c', 'python:ministack.core.hypercorn_conf', '--workers', '0'];
    const log = openSync(this.#logFile, 'w');
    const bind = ['--bind', `127.0.0.1:${port}`, '--keep-alive', '75'];
    this.#process = spawn(python, ['-m', 'hypercorn', ...settings, ...bind, 'ministack.app:app'], {
      cwd: folder,
      // Nothing else of ours: functions get the variables that it has.
      env: {
        // Functions run on the Node that runs the tests.
        PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: folder,
        TMPDIR: folder,
        GATEWAY_PORT: String(port),
        AUTH: 'true',
        USE_SSL: '1',
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#closed = once(this.#process, 'close');
  }

  /** @throws Error with what it said, when it does not come up. */
  static async start(): Promise<MiniStack> {
    const wanted = join(import.meta.dirname, 'requirements.txt');
    const python = join(await virtualEnvironment('MiniStack', wanted), 'python');
    const folder = await mkdtemp(join(tmpdir(), 'milepost-ministack-'));
    const started = new MiniStack(folder, await freePort(), python);
    const answers = vi.waitFor(() => started.#health(), { timeout: 60_000, interval: 100 });
    const ended = started.#closed.then(() => {
      throw new Error('it ended');
    });
    await Promise.race([answers, ended]).catch(async (cause: unknown) => {
      const log = await readFile(started.#logFile, 'utf8');
      await started.stop();
      throw new Error(`MiniStack did not start:\n${log}`, { cause });
    });
    return started;
  }

  /** The certificate that it made for itself, for its clients to trust. */
  get certificate(): string {
    return join(this.#folder, 'ministack-tls', 'server.crt');
  }

  get #logFile(): string {
    return join(this.#folder, 'log');
  }

  async stop(): Promise<void> {
    this.#process.kill();
    await this.#closed;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #health(): Promise<void> {
    const request = get(`${this.endpoint}/_ministack/health`, {
      ca: await readFile(this.certificate),
    });
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    response.resume();
  }
}

/** It has to be told its port, and cannot find one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
