import type { CheckResult } from './check.ts';
import { CommandPort, type Program } from './command-port.ts';
import { InvokePort } from './invoke-port.ts';
import { type Report, runConformance } from './run.ts';
import { readSamples } from './samples.ts';

/** What is tested: a program here, or a function that is deployed. */
export type Target = Program | { readonly function: string; readonly endpoint?: string };

/** How it is tested. */
export interface ConformanceOptions {
  readonly target: Target;
  /** A file of histories. */
  readonly samples?: string;
  readonly timeoutSeconds: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears of each result at once. */
  readonly tell: (result: CheckResult) => void;
  /** Takes the lines that a program writes. */
  readonly log: (line: string) => void;
}

/**
 * Tests a model function against the protocol.
 *
 * @throws MilepostError `bad-request` where it cannot be tested: samples that are none, no python3.
 */
export async function testConformance(options: ConformanceOptions): Promise<Report> {
  const { target, tell } = options;
  const samples = options.samples === undefined ? undefined : await readSamples(options.samples);
  if ('function' in target)
    return runConformance(new InvokePort(target.function, target.endpoint), samples, tell);
  await using port = new CommandPort(target, options);
  return await runConformance(port, samples, tell);
}
