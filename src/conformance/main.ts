import type { CheckResult } from './check.ts';
import { CommandPort, type Program } from './command-port.ts';
import { InvokePort } from './invoke-port.ts';
import { type Report, runConformance } from './run.ts';
import { readSamples } from './samples.ts';

/** The function to test: a program on this machine, or a deployed function. */
export type Target = Program | { readonly function: string; readonly endpoint?: string };

/** The options of a conformance test. */
export interface ConformanceOptions {
  readonly target: Target;
  /** A file with sample histories. */
  readonly samples?: string;
  readonly timeoutSeconds: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives each result immediately. */
  readonly tell: (result: CheckResult) => void;
  /** Receives the output lines of a program. */
  readonly log: (line: string) => void;
}

/**
 * Tests a model function against the protocol.
 *
 * @throws MilepostError `bad-request` for invalid samples, or without python3.
 */
export async function testConformance(options: ConformanceOptions): Promise<Report> {
  const { target, tell } = options;
  const samples = options.samples === undefined ? undefined : await readSamples(options.samples);
  if ('function' in target)
    return runConformance(new InvokePort(target.function, target.endpoint), samples, tell);
  await using port = new CommandPort(target, options);
  return await runConformance(port, samples, tell);
}
