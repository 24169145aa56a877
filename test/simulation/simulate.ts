import { Chance } from './chance.ts';
import type { Sabotage } from './sabotage.ts';
import { World } from './world.ts';

/** What a run came to. */
export interface Run {
  readonly seed: number;
  /** What the auditor has to say against it; empty where every promise was kept. */
  readonly findings: readonly string[];
  /** Of everything that the tables hold in the end. */
  readonly digest: string;
  /** How often each thing happened. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Runs the whole pipeline once, with everything that is left to chance drawn from the seed: events
 * are sent while processes die, calls fail and shards split; then the trouble ends, all that is
 * left is processed, and the auditor looks. Then the models are mended, what is parked is redriven,
 * and the auditor looks again.
 */
export async function simulate(
  seed: number,
  sabotage: Sabotage = {},
  trace: (line: string) => void = () => undefined,
): Promise<Run> {
  const systemRandom = Math.random;
  // The clients of AWS draw their pauses from it.
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
  if (!(await world.drained())) findings.push('what is on the stream is never done');
  findings.push(...world.audited('drained'));
  if (findings.length === 0) {
    await world.redriven();
    findings.push(...world.audited('redriven'));
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
