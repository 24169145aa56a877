import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { killProcess } from '../../support/child-processes.ts';
import { type SoakWorld, worldVariable } from './soak-world.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** The time limit for a start, in milliseconds. */
const startTimeoutMs = 180_000;
const restartPauseMs = 200;

export interface SoakServiceOptions {
  /** The environment variables of the service, such as `MILEPOST_PORT` and `MILEPOST_DATA`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly world: SoakWorld;
  /** Receives standard error of all runs. */
  readonly logFile: string;
}

/**
 * The local service in a separate process, as users start it. It is restarted whenever it exits, except after the last
 * stop.
 */
export class SoakService {
  readonly #options: SoakServiceOptions;
  readonly #log: number;
  readonly #stopping = new AbortController();
  /** Descriptions of exits that no planned fault explains. */
  readonly unexpectedExits: string[] = [];
  starts = 0;
  #process: ChildProcess | undefined;
  #isExitExpected = false;
  /** The number of current faults that can make the service exit more than once. */
  #ongoingFaults = 0;
  /**
   * Resolves when the service prints its ready line. Replaced with a new promise when the process of the service exits.
   */
  #ready = Promise.withResolvers<void>();
  #isReady = false;
  #running: Promise<void> | undefined;

  constructor(options: SoakServiceOptions) {
    this.#options = options;
    this.#log = openSync(options.logFile, 'a');
    this.#running = this.#run();
  }

  /** The process id; undefined between two runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Waits until the service has printed its ready line. */
  async ready(): Promise<void> {
    const late = pause(startTimeoutMs, 'late', { ref: false });
    if ((await Promise.race([this.#ready.promise, late])) === 'late')
      throw new Error(`the service did not start within ${startTimeoutMs} ms; ${this.lastLine()}`);
  }

  /** Accepts exits until the next start of the service is complete. */
  expectExit(): void {
    this.#isExitExpected = true;
  }

  /** Accepts any number of exits during a fault and until the next complete start after the fault. */
  async expectExitsDuring(fault: () => Promise<void>): Promise<void> {
    this.#ongoingFaults += 1;
    this.expectExit();
    try {
      await fault();
    } finally {
      this.#ongoingFaults -= 1;
    }
  }

  /** Stops the service with SIGTERM. It restarts unless `isLast` is true. */
  async stop({ isLast }: { readonly isLast: boolean }): Promise<void> {
    if (isLast) this.#stopping.abort();
    // If a process was killed earlier, the service may already be exiting with a different status.
    const isExiting = this.#isExitExpected;
    this.expectExit();
    const stopped = this.#process;
    if (stopped?.exitCode === null && stopped.signalCode === null) {
      const exited = once(stopped, 'exit');
      stopped.kill('SIGTERM');
      const [status] = (await exited) as [number | null];
      if (status !== 0 && !isExiting)
        this.unexpectedExits.push(
          `after SIGTERM, the service exited with status ${status}: ${this.lastLine()}`,
        );
    }
    if (isLast) await this.#running;
  }

  kill(): void {
    this.expectExit();
    if (this.pid !== undefined) killProcess(this.pid);
  }

  lastLine(): string {
    return readFileSync(this.#options.logFile, 'utf8').trim().split('\n').at(-1) ?? '';
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const status = await this.#runOnce();
      if (this.#isReady) this.#ready = Promise.withResolvers<void>();
      this.#isReady = false;
      this.#process = undefined;
      if (!this.#isExitExpected)
        this.unexpectedExits.push(
          `the service exited unexpectedly with status ${status}: ${this.lastLine()}`,
        );
      await pause(restartPauseMs);
    }
  }

  async #runOnce(): Promise<string> {
    const { variables, world } = this.#options;
    this.starts += 1;
    const started = spawn(process.execPath, [join(root, 'bin', 'milepost.js'), 'local'], {
      cwd: root,
      env: {
        ...process.env,
        ...variables,
        NODE_OPTIONS: `--import=${import.meta.resolve('./preload.ts')}`,
        [worldVariable]: JSON.stringify(world),
      },
      stdio: ['ignore', 'pipe', this.#log],
    });
    this.#process = started;
    const exited = once(started, 'exit');
    void once(createInterface({ input: started.stdout! }), 'line').then(() => {
      this.#isExitExpected = this.#ongoingFaults > 0;
      this.#isReady = true;
      this.#ready.resolve();
    });
    const [status, signal] = (await exited) as [number | null, string | null];
    return String(signal ?? status);
  }
}
