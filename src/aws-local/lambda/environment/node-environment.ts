import { type ChildProcess, fork } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../compile-cache.ts';
import {
  environmentVariables,
  type FunctionDefinition,
  newLogStreamName,
  versionOf,
} from '../function-definition.ts';
import { LineSplitter } from '../invocation-log.ts';
import { EnvironmentProcess } from './environment-process.ts';
import {
  type EnvironmentData,
  type EnvironmentMessage,
  type InvocationMessage,
  messageFd,
} from './environment-protocol.ts';
import { endGroup, killGroup } from './kill-group.ts';
import { orphanReaper } from './orphan-reaper.ts';

// The extension is .ts in the repository and .js in the build.
const runtimePath = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? import.meta.resolve('./environment-runtime.ts')
    : import.meta.resolve('./environment-runtime.js'),
);

/** An execution environment whose process runs a Node.js function, with the same Node.js binary as this process. */
export class NodeEnvironment extends EnvironmentProcess {
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;

  /** Starts the process. @param write receives the complete output of the process. */
  constructor(
    definition: FunctionDefinition,
    runtimeEnvironment: Readonly<Record<string, string>>,
    write: (text: string) => void,
  ) {
    super(definition, write);
    this.#child = startProcess(definition, runtimeEnvironment);
    this.#gone = this.#listen();
  }

  post(message: InvocationMessage): void {
    // Ignore errors: if the process has exited, the exit ends the invocation.
    this.#child.send(message, () => {});
  }

  protected get pid(): number | undefined {
    return this.#child.pid;
  }

  protected async kill(): Promise<void> {
    if (this.pid !== undefined) killGroup(this.pid);
    await this.#gone;
  }

  #listen(): Promise<void> {
    const child = this.#child;
    let lastWords = '';
    const messages = new LineSplitter((line) =>
      this.receive(JSON.parse(line) as EnvironmentMessage),
    );
    // A child process has no streams if it could not be created because this process has too many open files.
    read(child.stdio?.[messageFd], (text) => messages.write(text));
    // Log the output of Node.js itself, such as a fatal error.
    for (const stream of [child.stdout, child.stderr])
      read(stream, (text) => {
        lastWords = (lastWords + text).slice(-4_096);
        this.receive({ kind: 'output', text });
      });
    const { pid } = child;
    if (pid !== undefined) orphanReaper.add(pid);
    return new Promise((resolve) => {
      child.on('error', (error) => {
        if (pid === undefined) {
          this.failToStart(error, 1);
          resolve();
        } else this.receive({ kind: 'output', text: `${error.stack ?? String(error)}\n` });
      });
      child.once('exit', () => {
        // A process that the function started may keep the output open, which would delay `close`.
        if (pid !== undefined) endGroup(pid);
        resolve();
      });
      // `close` follows all output, unlike `exit`.
      child.once('close', (status, signal) => {
        this.finish({
          kind: 'exited',
          status,
          signal,
          outOfMemory: ranOutOfMemory(signal, lastWords),
        });
      });
    });
  }
}

function read(stream: unknown, take: (text: string) => void): void {
  if (stream instanceof Readable) stream.setEncoding('utf8').on('data', take);
}

/** Returns true if V8 aborted the process because its heap was full. */
function ranOutOfMemory(signal: NodeJS.Signals | null, lastWords: string): boolean {
  return signal === 'SIGABRT' && /out of memory|Allocation failed/.test(lastWords);
}

function startProcess(
  definition: FunctionDefinition,
  runtimeEnvironment: Readonly<Record<string, string>>,
): ChildProcess {
  const logStreamName = newLogStreamName(definition);
  const data: EnvironmentData = {
    codePath: definition.codePath,
    handler: definition.handler,
    context: {
      callbackWaitsForEmptyEventLoop: true,
      functionName: definition.name,
      functionVersion: versionOf(definition),
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
    // The shares of a function's memory for V8's old and new space are the same as in AWS's runtime.
    execArgv: [
      `--max-old-space-size=${Math.floor(definition.memoryMb * 0.9)}`,
      `--max-semi-space-size=${Math.ceil(definition.memoryMb * 0.05)}`,
    ],
    // Put the process into a separate process group so that Ctrl+C does not reach it.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
  });
}
