import { Chance } from '../../src/common/chance.ts';
import type { Sabotage } from './sabotage.ts';
import { World } from './world.ts';

/** The result of a run. */
export interface Run {
  readonly seed: number;
  /** The auditor's findings. Empty if Milepost kept every guarantee. */
  readonly findings: readonly string[];
  /** A digest of the final contents of the tables of instances and dead letters. */
  readonly digest: string;
  /** The number of occurrences of each kind of incident, such as a crash. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Runs the whole pipeline once. The seed determines all random numbers. Events are sent while processes crash, calls
 * fail, and shards split. Then the failures end, the remaining records are processed, and the auditor checks. If it
 * finds nothing, the models are fixed, parked events are redriven, and the auditor checks again.
 */
export async function simulate(
  seed: number,
  sabotage: Sabotage = {},
  trace: (line: string) => void = () => undefined,
): Promise<Run> {
  const systemRandom = Math.random;
  // The AWS clients derive their retry delays from `Math.random`.
  Math.random = new Chance(seed + 2_000_000_011).fraction;
  try {
    return await run(seed, sabotage, trace);
  } finally {
    Math.random = systemRandom;
  }
}

async function run(seed: number, sabotage: Sabotage, trace: (line: string) => void): Promise<Run> {
  const world = new World(seed, sabotage, trace);
  await world.clock.runUntil(world.trouble());
  const findings: string[] = [];
  if (!(await world.drained()))
    findings.push('the pipeline was still busy after an hour of simulated time');
  findings.push(...(await world.audited('drained')));
  if (findings.length === 0) {
    await world.redriven();
    findings.push(...(await world.audited('redriven')));
  }
  return {
    seed,
    findings,
    get digest() {
      return world.digest();
    },
    counts: world.counts,
  };
}
