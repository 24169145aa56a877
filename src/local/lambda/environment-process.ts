import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../compile-cache.ts';
import {
  type EnvironmentData,
  type EnvironmentMessage,
  type InvocationMessage,
  type ResourceUse,
  tellingFd,
} from './environment-protocol.ts';
import {
  environmentVariables,
  type FunctionDefinition,
  latestVersion,
} from './function-definition.ts';
import { LineSplitter } from './invocation-log.ts';
import { memoryWatchMs, smallestMemoryMb } from './limits.ts';
import { orphans } from './orphans.ts';
import { residentBytes } from './resident-bytes.ts';

/** What ends a phase: the process says so, ends, or takes too long. */
export type Ending =
  | Exclude<EnvironmentMessage, { kind: 'output' }>
  | { kind: 'exited'; status: number | null; signal: NodeJS.Signals | null; outOfMemory: boolean }
  | { kind: 'overdue' };

// The same module is a .ts file in the repository and a .js file once built.
const runtimePath = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? import.meta.resolve('./environment-runtime.ts')
    : import.meta.resolve('./environment-runtime.js'),
);

const killed = { kind: 'exited', status: null, signal: 'SIGKILL' } as const;

/** The process of an execution environment, seen from its host. */
export class EnvironmentProcess {
  readonly #child: ChildProcess;
  readonly #memoryBytes: number;
  readonly #write: (text: string) => void;
  readonly #gone: Promise<void>;
  #settle: ((ending: Ending) => void) | undefined;
  #end: Ending | undefined;
  #use: ResourceUse = { cpuMicroseconds: 0, memoryBytes: 0 };

  /** Starts the process. `write` takes everything that is written in it. */
  constructor(
    definition: FunctionDefinition,
    runtimeEnvironment: Record<string, string>,
    write: (text: string) => void,
  ) {
    this.#write = write;
    this.#memoryBytes = Math.max(definition.memoryMb, smallestMemoryMb) * 1_048_576;
    this.#child = startProcess(definition, runtimeEnvironment);
    this.#gone = this.#listen();
  }

  /** False once the process has ended, is over a limit, or has been told to end. */
  get alive(): boolean {
    return this.#end === undefined;
  }

  /** What the process has used since it was started, as it said last. */
  get use(): ResourceUse {
    return this.#use;
  }

  /** Starts an invocation; its result is the next ending. */
  post(message: InvocationMessage): void {
    // Where the process has just ended, its end is the ending.
    this.#child.send(message, () => {});
  }

  /** The end of the present phase. A process over a limit is to be terminated. */
  ending(limitMs: number): Promise<Ending> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#finish({ kind: 'overdue' }), limitMs);
      const watch = setInterval(() => this.#checkMemory(), memoryWatchMs);
      this.#settle = (ending) => {
        clearTimeout(timer);
        clearInterval(watch);
        this.#settle = undefined;
        resolve(ending);
      };
      if (this.#end !== undefined) this.#settle(this.#end);
    });
  }

  /** Ends the process, whatever it is doing. */
  async terminate(): Promise<void> {
    this.#finish({ ...killed, outOfMemory: false });
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  #listen(): Promise<void> {
    const child = this.#child;
    let lastWords = '';
    const told = new LineSplitter((line) => this.#told(JSON.parse(line) as EnvironmentMessage));
    read(child.stdio[tellingFd], (text) => told.write(text));
    // What Node.js itself writes for the process.
    for (const stream of [child.stdout, child.stderr])
      read(stream, (text) => {
        lastWords = (lastWords + text).slice(-4_096);
        this.#write(text);
      });
    const { pid } = child;
    if (pid !== undefined) orphans.add(pid);
    return new Promise((resolve) => {
      child.on('error', (error) => {
        this.#write(`${error.stack ?? String(error)}\n`);
        if (pid !== undefined) return;
        this.#finish({ kind: 'exited', status: 1, signal: null, outOfMemory: false });
        resolve();
      });
      child.once('exit', () => {
        if (pid !== undefined) orphans.delete(pid);
        resolve();
      });
      // After all that it has said has arrived.
      child.once('close', (status, signal) => {
        this.#finish({ kind: 'exited', status, signal, outOfMemory: ranOut(signal, lastWords) });
      });
    });
  }

  #told(message: EnvironmentMessage): void {
    if (message.kind === 'output') {
      this.#write(message.text);
    } else {
      this.#use = message.use;
      this.#settle?.(message);
    }
  }

  #checkMemory(): void {
    const { pid } = this.#child;
    if (pid === undefined || residentBytes(pid) <= this.#memoryBytes) return;
    this.#use = { ...this.#use, memoryBytes: this.#memoryBytes };
    this.#finish({ ...killed, outOfMemory: true });
  }

  #finish(ending: Ending): void {
    this.#end ??= ending;
    this.#settle?.(this.#end);
  }
}

function read(stream: unknown, take: (text: string) => void): void {
  if (stream instanceof Readable) stream.setEncoding('utf8').on('data', take);
}

/** Whether V8 ended the process because its heap was full. */
function ranOut(signal: NodeJS.Signals | null, lastWords: string): boolean {
  return signal === 'SIGABRT' && /out of memory|Allocation failed/.test(lastWords);
}

function startProcess(
  definition: FunctionDefinition,
  runtimeEnvironment: Record<string, string>,
): ChildProcess {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  const logStreamName = `${day}/[${latestVersion}]${randomBytes(16).toString('hex')}`;
  const data: EnvironmentData = {
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
  return fork(runtimePath, [JSON.stringify(data)], {
    env: {
      ...environmentVariables(definition, runtimeEnvironment, logStreamName),
      ...compileCache,
    },
    // The shares of a function's memory that AWS's runtime gives to V8's old and new space.
    execArgv: [
      `--max-old-space-size=${Math.floor(definition.memoryMb * 0.9)}`,
      `--max-semi-space-size=${Math.ceil(definition.memoryMb * 0.05)}`,
    ],
    // Out of reach of Ctrl-C, from the first moment on.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
  });
}
