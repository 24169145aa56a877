import type { testConformance } from '../conformance/main.ts';

/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream that the command line writes to: what it needs of standard output and standard error. */
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

/** Ctrl-C, its like from another program, and Ctrl-Z. */
type HandledSignal = 'SIGINT' | 'SIGTERM' | 'SIGTSTP';

/** Where signals come from: what the command line needs of a process. */
export interface SignalSource {
  readonly pid: number;
  on(signal: HandledSignal, listener: () => void): unknown;
  off(signal: HandledSignal, listener: () => void): unknown;
  kill(pid: number, signal: 'SIGSTOP'): unknown;
}

/** All that the command line touches outside itself, so that a test can stand in for any of it. */
export interface CliContext {
  /** What follows the command's own name. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly fetch: typeof globalThis.fetch;
  /** As `setTimeout` of node:timers/promises: rejects where its signal is aborted. */
  readonly wait: (
    milliseconds: number,
    value?: undefined,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<unknown>;
  /** Left out, it is this process. */
  readonly signals?: SignalSource;
  /** Milepost's version, for `--version`. */
  readonly version: string;
  /** Runs the local stack until it is stopped; resolves with its exit status. */
  readonly runLocal: (environment: Environment) => Promise<number>;
  /** Tests a model function against the protocol. */
  readonly testConformance: typeof testConformance;
}
