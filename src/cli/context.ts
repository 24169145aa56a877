import type { testConformance } from '../conformance/main.ts';

/** Environment variables, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An output stream: the members of standard output and standard error that the CLI uses. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  getColorDepth?(env?: object): number;
  on?(event: 'resize', listener: () => void): unknown;
  once?(event: 'drain', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

/** The signals that the CLI handles: from Ctrl+C, from a program that stops this process, and from Ctrl+Z. */
type HandledSignal = 'SIGINT' | 'SIGTERM' | 'SIGTSTP';

/** A source of signals: the members of a process that the CLI uses. */
export interface SignalSource {
  readonly pid: number;
  on(signal: HandledSignal, listener: () => void): unknown;
  off(signal: HandledSignal, listener: () => void): unknown;
  kill(pid: number, signal: 'SIGSTOP'): unknown;
}

/** The process and the services that the CLI uses. Tests replace the members. */
export interface CliContext {
  /** The arguments after the program name. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly fd?: number; destroy?(): unknown };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly fetch: typeof globalThis.fetch;
  /** Waits like `setTimeout` from node:timers/promises, whose promise rejects if its signal is aborted. */
  readonly wait: (
    milliseconds: number,
    value?: undefined,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<unknown>;
  /** The source of SIGINT and other signals. Default: this process. */
  readonly signals?: SignalSource;
  /** Milepost's version, for `--version`. */
  readonly version: string;
  /** Runs the local service until it is stopped, and resolves with its exit status. */
  readonly runLocal: (environment: Environment) => Promise<number>;
  /** Tests a model function against the protocol. */
  readonly testConformance: typeof testConformance;
}
