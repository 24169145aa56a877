import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { virtualEnvironment } from '../../support/virtual-environment.ts';

/**
 * An empty emulated account, in a separate process with its own data folder.
 *
 * Like AWS, MiniStack requires policies that allow each call, including the calls of Milepost's functions (`AUTH`), and
 * TLS for the buckets of the CDK and of Milepost (`USE_SSL`).
 */
export class MiniStack {
  readonly endpoint: string;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;

  private constructor(folder: string, port: number, python: string) {
    this.#folder = folder;
    this.endpoint = `https://127.0.0.1:${port}`;
    // Start MiniStack's server directly, because the `ministack` command also listens on port 443.
    const settings = ['-c', 'python:ministack.core.hypercorn_conf', '--workers', '0'];
    const log = openSync(this.#logFile, 'w');
    const bind = ['--bind', `127.0.0.1:${port}`, '--keep-alive', '75'];
    this.#process = spawn(python, ['-m', 'hypercorn', ...settings, ...bind, 'ministack.app:app'], {
      cwd: folder,
      // Omit all other variables, because functions would inherit them.
      env: {
        // Functions run on the Node.js version that runs the tests.
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

  /** @throws Error with MiniStack's output if MiniStack does not start. */
  static async start(): Promise<MiniStack> {
    const wanted = join(import.meta.dirname, 'requirements.txt');
    const python = join(await virtualEnvironment('MiniStack', wanted), 'python');
    const folder = await mkdtemp(join(tmpdir(), 'milepost-ministack-'));
    // MiniStack cannot choose a free port itself.
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

  /** The self-signed certificate of the emulator, which clients must trust. */
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
