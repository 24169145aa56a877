import { performance } from 'node:perf_hooks';
import type { EnvironmentOutcome, EnvironmentProcess } from './environment/environment-process.ts';
import type { InvocationMessage, ResourceUsage } from './environment/environment-protocol.ts';
import { NodeEnvironment } from './environment/node-environment.ts';
import {
  type EnvironmentFailure,
  exitFailure,
  outOfMemoryFailure,
  timeoutFailure,
} from './environment-failure.ts';
import { type FunctionDefinition, versionOf } from './function-definition.ts';
import {
  endLines,
  initReportLine,
  initStartLine,
  LogTail,
  logLimitLine,
  startLine,
} from './invocation-log.ts';
import { LambdaApiError } from './lambda-api-error.ts';
import { maximumLogLength } from './limits.ts';
import { RuntimeApiEnvironment } from './runtime-api/runtime-api-environment.ts';

export interface InvocationOutcome {
  /** The handler's result or the error, as JSON. */
  readonly payload: string;
  readonly failed: boolean;
  readonly durationMs: number;
  /** The load time of the module, in milliseconds. Present only for the first invocation in an environment. */
  readonly initDurationMs?: number;
  /** The resources used since the environment started, according to its latest report. */
  readonly resourceUsage: ResourceUsage;
  readonly log: LogTail;
}

type FunctionEnd = Pick<InvocationOutcome, 'payload' | 'failed'> & {
  status?: EnvironmentFailure['status'];
  errorType?: string;
};

/**
 * An execution environment: a process that loads the function's module once, handles one invocation at a time, and
 * keeps its state between invocations.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export class ExecutionEnvironment {
  readonly #definition: FunctionDefinition;
  readonly #process: EnvironmentProcess;
  readonly #write: (text: string) => void;
  #log = new LogTail();
  /** The number of characters that the function may still write to the log. */
  #remainingLog = maximumLogLength;
  #initializing: Promise<{ ending: EnvironmentOutcome; durationMs: number }> | undefined;
  /** Resolves when the module has loaded or failed to load. A failure is reported by the first invocation. */
  readonly initialized: Promise<unknown>;

  /** Starts the process, which must load the module within `initLimitMs`. `write` receives the log. */
  constructor(
    definition: FunctionDefinition,
    runtimeEnvironment: Readonly<Record<string, string>>,
    write: (text: string) => void,
    initLimitMs: number,
  ) {
    const started = performance.now();
    this.#definition = definition;
    this.#write = (text) => {
      this.#log.append(text);
      write(text);
    };
    const writeOutput = (text: string) => {
      this.#log.append(text);
      write(this.#limited(text));
    };
    write(initStartLine(definition.runtime));
    const Process = definition.bootstrap ? RuntimeApiEnvironment : NodeEnvironment;
    this.#process = new Process(definition, runtimeEnvironment, writeOutput);
    this.#initializing = this.#process
      .ending(initLimitMs)
      .then((ending) => ({ ending, durationMs: performance.now() - started }));
    this.initialized = this.#initializing;
  }

  /** False once the environment can no longer handle invocations. */
  get isAlive(): boolean {
    return this.#process.alive;
  }

  /**
   * Runs an invocation. The first invocation waits until the module has loaded.
   *
   * @throws {LambdaApiError} if the host has too few resources to start the process.
   */
  async invoke(message: Omit<InvocationMessage, 'deadline'>): Promise<InvocationOutcome> {
    const initialization = await this.#initializing;
    if (initialization?.ending.kind === 'not-started')
      throw new LambdaApiError(
        'ServiceException',
        `the function ${this.#definition.name} could not be started: ${initialization.ending.reason}`,
      );
    this.#initializing = undefined;
    let durationMs = 0;
    let ended: FunctionEnd;
    if (initialization === undefined || initialization.ending.kind === 'ready') {
      this.#write(startLine(message.requestId, versionOf(this.#definition)));
      const started = performance.now();
      const ending = await this.#run(message);
      durationMs = performance.now() - started;
      ended = this.#ended(ending, message.requestId);
    } else {
      ended = this.#ended(initialization.ending, message.requestId);
      this.#write(initReportLine(initialization.durationMs, ended.errorType));
      this.#write(startLine(message.requestId, versionOf(this.#definition)));
      await this.terminate();
    }
    return this.#outcome(message.requestId, ended, durationMs, initialization?.durationMs);
  }

  terminate(): Promise<void> {
    return this.#process.terminate();
  }

  #run(message: Omit<InvocationMessage, 'deadline'>): Promise<EnvironmentOutcome> {
    const limitMs = this.#definition.timeoutSeconds * 1000;
    const ending = this.#process.ending(limitMs);
    if (this.isAlive) this.#process.post({ ...message, deadline: Date.now() + limitMs });
    return ending;
  }

  #ended(ending: EnvironmentOutcome, requestId: string): FunctionEnd {
    if (ending.kind === 'done') return { payload: ending.payload, failed: ending.failed };
    if (ending.kind === 'init-failed') {
      const { payload, errorType } = ending;
      return { payload, failed: true, status: 'error', errorType };
    }
    const failure = failureOf(ending, requestId, this.#definition.timeoutSeconds);
    this.#write(failure.log);
    return {
      payload: JSON.stringify(failure.payload),
      failed: true,
      status: failure.status,
      errorType: failure.status === 'error' ? failure.payload.errorType : undefined,
    };
  }

  /** Returns the part of the output that fits into the log, followed by a note if the rest is omitted. */
  #limited(text: string): string {
    const remaining = this.#remainingLog;
    this.#remainingLog = Math.max(0, remaining - text.length);
    if (text.length <= remaining) return text;
    return remaining === 0 ? '' : `${text.slice(0, remaining)}\n${logLimitLine}`;
  }

  #outcome(
    requestId: string,
    ended: FunctionEnd,
    durationMs: number,
    initDurationMs: number | undefined,
  ): InvocationOutcome {
    const { resourceUsage: use } = this.#process;
    this.#write(
      endLines({
        requestId,
        durationMs,
        memoryMb: this.#definition.memoryMb,
        maxMemoryUsedBytes: use.memoryBytes,
        initDurationMs,
        status: ended.status,
        errorType: ended.errorType,
      }),
    );
    const log = this.#log;
    this.#log = new LogTail();
    this.#remainingLog = maximumLogLength;
    return {
      payload: ended.payload,
      failed: ended.failed,
      durationMs,
      initDurationMs,
      resourceUsage: use,
      log,
    };
  }
}

function failureOf(
  ending: EnvironmentOutcome,
  requestId: string,
  timeoutSeconds: number,
): EnvironmentFailure {
  if (ending.kind === 'overdue') return timeoutFailure(requestId, timeoutSeconds);
  if (ending.kind !== 'exited') return exitFailure(requestId, { status: 0, signal: null });
  return ending.outOfMemory ? outOfMemoryFailure(requestId) : exitFailure(requestId, ending);
}
