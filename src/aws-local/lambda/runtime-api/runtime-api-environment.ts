import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EnvironmentProcess } from '../environment/environment-process.ts';
import type { InvocationMessage } from '../environment/environment-protocol.ts';
import { endGroup, killGroup } from '../environment/kill-group.ts';
import { orphanReaper } from '../environment/orphan-reaper.ts';
import { residentBytes } from '../environment/resident-bytes.ts';
import {
  environmentVariables,
  type FunctionDefinition,
  newLogStreamName,
} from '../function-definition.ts';
import { responseLimitBytes, responseTooLarge } from '../limits.ts';
import { RuntimeApiServer, type RuntimeMessage } from './runtime-api-server.ts';

/** An execution environment whose process runs a program, in any language, that uses the Runtime API. */
export class RuntimeApiEnvironment extends EnvironmentProcess {
  readonly #api = new RuntimeApiServer((message) => this.#handle(message));
  readonly #started: Promise<void>;
  #child: ChildProcessWithoutNullStreams | undefined;
  #gone: Promise<void> = Promise.resolve();
  #peakBytes = 0;

  /** Starts the process. @param write receives the complete output of the process. */
  constructor(
    definition: FunctionDefinition,
    runtimeEnvironment: Readonly<Record<string, string>>,
    write: (text: string) => void,
  ) {
    super(definition, write);
    this.#started = this.#start(definition, runtimeEnvironment).catch((error: unknown) =>
      this.failToStart(error, 1),
    );
  }

  post(message: InvocationMessage): void {
    this.#api.post(message);
  }

  protected get pid(): number | undefined {
    return this.#child?.pid;
  }

  protected async kill(): Promise<void> {
    await this.#started;
    const pid = this.#child?.pid;
    if (pid !== undefined) killGroup(pid);
    await this.#gone;
  }

  async #start(
    definition: FunctionDefinition,
    runtimeEnvironment: Readonly<Record<string, string>>,
  ): Promise<void> {
    const api = await this.#api.listen();
    if (!this.alive) return this.#api.close();
    const [program = '', ...programArguments] = definition.bootstrap ?? [];
    this.#child = spawn(program, programArguments, {
      cwd: definition.codePath,
      env: {
        ...environmentVariables(definition, runtimeEnvironment, newLogStreamName(definition)),
        AWS_LAMBDA_RUNTIME_API: api,
      },
      // Put the process into a separate process group so that Ctrl+C does not reach it.
      detached: true,
    });
    this.#gone = this.#listen(this.#child);
  }

  #listen(child: ChildProcessWithoutNullStreams): Promise<void> {
    const { pid } = child;
    if (pid !== undefined) orphanReaper.add(pid);
    // A child process has no streams if it could not be created because this process has too many open files.
    child.stdin?.end();
    for (const stream of [child.stdout, child.stderr])
      stream
        ?.setEncoding('utf8')
        .on('data', (text: string) => this.receive({ kind: 'output', text }));
    return new Promise((resolve) => {
      const end = (status: number | null, signal: NodeJS.Signals | null) => {
        if (pid !== undefined) endGroup(pid);
        this.#api.close();
        this.finish({ kind: 'exited', status, signal, outOfMemory: false });
        resolve();
      };
      child.once('error', (error) => {
        this.failToStart(error, 127);
        end(127, null);
      });
      child.once('exit', end);
    });
  }

  #handle(message: RuntimeMessage): void {
    // The Runtime API does not report CPU time.
    this.#peakBytes = Math.max(this.#peakBytes, this.pid ? residentBytes(this.pid) : 0);
    const use = { cpuMicroseconds: 0, memoryBytes: this.#peakBytes };
    if (message.kind === 'done') {
      const isTooLarge = Buffer.byteLength(message.payload) > responseLimitBytes;
      return this.receive({ ...(isTooLarge ? tooLarge : message), use });
    }
    this.receive({ ...message, use });
  }
}

const tooLarge = {
  kind: 'done',
  failed: true,
  payload: responseTooLarge,
} as const;
