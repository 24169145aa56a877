import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Profiler } from 'node:inspector';
import { join } from 'node:path';
import type { Question, Reply, Use } from './worker-protocol.ts';

/** A process that runs one Lambda function, one invocation at a time. */
export class Worker {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Starts a process and waits until the bundle is loaded. */
  static async start(bundle: string, env: Readonly<Record<string, string>>): Promise<Worker> {
    // Standard output contains only metrics for CloudWatch.
    const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc'];
    const child = fork(join(import.meta.dirname, 'worker.ts'), [bundle], {
      env,
      stdio,
      // With this option, the IPC channel does not JSON-encode payloads, which are JSON already.
      serialization: 'advanced',
    });
    const worker = new Worker(child);
    await worker.#reply();
    return worker;
  }

  /**
   * Invokes the function and returns its response.
   *
   * @throws Error if the function fails.
   */
  async invoke(payload: string): Promise<string> {
    const reply = await this.#ask({ kind: 'invoke', payload });
    if (reply.kind !== 'done') throw new Error(reply.kind === 'failed' ? reply.reason : reply.kind);
    return reply.payload;
  }

  async use(): Promise<Use> {
    const reply = await this.#ask({ kind: 'use' });
    if (reply.kind !== 'use') throw new Error(reply.kind);
    return reply.use;
  }

  async startProfile(): Promise<void> {
    await this.#ask({ kind: 'start-profile' });
  }

  async stopProfile(): Promise<Profiler.Profile> {
    const reply = await this.#ask({ kind: 'stop-profile' });
    if (reply.kind !== 'profile') throw new Error(reply.kind);
    return reply.profile!;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  #ask(question: Question): Promise<Reply> {
    this.#child.send(question);
    return this.#reply();
  }

  async #reply(): Promise<Reply> {
    const done = new AbortController();
    const { signal } = done;
    try {
      const [reply] = (await Promise.race([
        once(this.#child, 'message', { signal }),
        once(this.#child, 'exit', { signal }).then(([status]) => {
          throw new Error(`the worker exited with status ${String(status)}`);
        }),
      ])) as [Reply];
      return reply;
    } finally {
      done.abort();
    }
  }
}
