/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream that the command line writes to: what it needs of standard output and standard error. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  getColorDepth?(env?: object): number;
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
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Milepost's version, for `--version`. */
  readonly version: string;
  /** Runs the local stack until it is stopped; resolves with its exit status. */
  readonly runLocal: (environment: Environment) => Promise<number>;
}
