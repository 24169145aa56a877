import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadyLine } from '../../../src/local/stack.ts';
import { ServiceClient } from '../../support/service/service.ts';
import { userEnvironment } from './user-project.ts';

/**
 * Runs `milepost local` in a user's project. Starts the program as npx does, but without npm so that the program
 * receives signals directly.
 */
export class LocalProject extends ServiceClient {
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown[]>;
  #ready: ReadyLine | undefined;
  #stderr = '';

  private constructor(folder: string, args: readonly string[]) {
    super();
    const bin = join(folder, 'node_modules', '.bin', 'milepost');
    this.#process = spawn(bin, ['local', ...args], {
      cwd: folder,
      env: userEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#process, 'close');
    this.#process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  /** Starts the service and waits until it is ready. */
  static async start(folder: string, ...args: readonly string[]): Promise<LocalProject> {
    const service = new LocalProject(folder, args);
    const lines = createInterface({ input: service.#process.stdout! });
    const line = await Promise.race([once(lines, 'line'), service.#closed.then(() => undefined)]);
    if (line === undefined) throw new Error(`the service did not start: ${service.#stderr}`);
    service.#ready = JSON.parse(String(line[0])) as ReadyLine;
    return service;
  }

  get ready(): ReadyLine {
    if (!this.#ready) throw new Error('the service is not ready');
    return this.#ready;
  }

  /** Waits for a message on standard error. */
  async said(what: RegExp): Promise<void> {
    for (const end = Date.now() + 25_000; !what.test(this.#stderr); await pause(20))
      if (Date.now() > end) throw new Error(`the message did not appear: ${this.#stderr}`);
  }

  async stop(): Promise<{ status: unknown; stderr: string }> {
    this.#process.kill('SIGTERM');
    const [status] = await this.#closed;
    return { status, stderr: this.#stderr };
  }
}
