import type { CheckResult } from './check.ts';
import { CommandPort, type Program } from './command-port.ts';
import { connectToFunction, type DeployedFunction } from './invoke-port.ts';
import { type Report, runConformance } from './run.ts';
import { readSamples } from './samples.ts';

/** The function to test: a local program or a deployed function. */
export type Target = Program | DeployedFunction;

export interface ConformanceOptions {
  readonly target: Target;
  /** The path of a file with sample histories. */
  readonly samples?: string;
  readonly timeoutSeconds: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives each result as soon as its check has run. */
  readonly tell: (result: CheckResult) => void;
  /** Receives each line that a local program writes. */
  readonly log: (line: string) => void;
}

/**
 * Tests whether a model function conforms to the protocol.
 *
 * @throws MilepostError `bad-request` if the test cannot run, for example, because the samples are invalid or python3
 *   is missing.
 */
export async function testConformance(options: ConformanceOptions): Promise<Report> {
  const { target, tell } = options;
  const samples = options.samples === undefined ? undefined : await readSamples(options.samples);
  if ('function' in target)
    return runConformance(await connectToFunction(target, options.env), samples, tell);
  await using port = new CommandPort(target, options);
  return await runConformance(port, samples, tell);
}
