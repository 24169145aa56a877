import { randomBytes } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type {
  EnvironmentData,
  EnvironmentMessage,
  InvocationMessage,
  ResourceUse,
} from './environment-protocol.ts';
import {
  environmentVariables,
  type FunctionDefinition,
  latestVersion,
} from './function-definition.ts';

/** What ends a phase: the thread says so, ends, or takes too long. */
export type Ending =
  | Exclude<EnvironmentMessage, { kind: 'output' }>
  | { kind: 'exited'; code: number; outOfMemory: boolean }
  | { kind: 'overdue' };

// The same module is a .ts file in the repository and a .js file once built.
const threadUrl = new URL(
  `./environment-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** The worker thread of an execution environment, seen from its host. */
export class EnvironmentWorker {
  readonly #worker: Worker;
  readonly #write: (text: string) => void;
  #settle: ((ending: Ending) => void) | undefined;
  #end: Ending | undefined;
  #use: ResourceUse = { cpuMicroseconds: 0, memoryBytes: 0 };

  /** Starts the thread. `write` takes everything that is written in it. */
  constructor(
    definition: FunctionDefinition,
    runtimeEnvironment: Record<string, string>,
    write: (text: string) => void,
  ) {
    this.#write = write;
    this.#worker = startThread(definition, runtimeEnvironment);
    this.#listen();
  }

  /** False once the thread has ended, is over its limit, or has been told to end. */
  get alive(): boolean {
    return this.#end === undefined;
  }

  /** What the thread has used since it was started, as it said last. */
  get use(): ResourceUse {
    return this.#use;
  }

  /** Starts an invocation; its result is the next ending. */
  post(message: InvocationMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(message);
  }

  /** The end of the present phase. A thread over its limit is to be terminated. */
  ending(limitMs: number): Promise<Ending> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#finish({ kind: 'overdue' }), limitMs);
      this.#settle = (ending) => {
        clearTimeout(timer);
        this.#settle = undefined;
        resolve(ending);
      };
      if (this.#end !== undefined) this.#settle(this.#end);
    });
  }

  /** Ends the thread, whatever it is doing. */
  async terminate(): Promise<void> {
    this.#finish({ kind: 'exited', code: 1, outOfMemory: false });
    await this.#worker.terminate();
  }

  #listen(): void {
    const worker = this.#worker;
    let outOfMemory = false;
    worker.on('message', (message: EnvironmentMessage) => {
      if (message.kind === 'output') {
        this.#write(message.text);
      } else {
        this.#use = message.use;
        this.#settle?.(message);
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (!outOfMemory) this.#write(`${error.stack ?? String(error)}\n`);
    });
    worker.on('exit', (code) => this.#finish({ kind: 'exited', code, outOfMemory }));
    // What Node.js itself writes for the thread.
    for (const stream of [worker.stdout, worker.stderr]) {
      stream.on('data', (chunk: Buffer) => this.#write(chunk.toString()));
    }
  }

  #finish(ending: Ending): void {
    this.#end ??= ending;
    this.#settle?.(this.#end);
  }
}

function startThread(
  definition: FunctionDefinition,
  runtimeEnvironment: Record<string, string>,
): Worker {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  const logStreamName = `${day}/[${latestVersion}]${randomBytes(16).toString('hex')}`;
  const workerData: EnvironmentData = {
    codePath: definition.codePath,
    handler: definition.handler,
    context: {
      callbackWaitsForEmptyEventLoop: true,
      functionName: definition.name,
      functionVersion: latestVersion,
      memoryLimitInMB: String(definition.memoryMb),
      logGroupName: `/aws/lambda/${definition.name}`,
      logStreamName,
    },
  };
  return new Worker(threadUrl, {
    workerData,
    env: environmentVariables(definition, runtimeEnvironment, logStreamName),
    // The shares of a function's memory that AWS's runtime gives to V8's old and new space.
    resourceLimits: {
      maxOldGenerationSizeMb: Math.floor(definition.memoryMb * 0.9),
      maxYoungGenerationSizeMb: Math.ceil(definition.memoryMb * 0.1),
    },
    execArgv: [],
    stdout: true,
    stderr: true,
  });
}
