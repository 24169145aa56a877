import { simulate } from './simulate.ts';

/** The seeds to run: `count` numbers, starting at `from` and increasing by `step`. */
export interface Seeds {
  readonly from: number;
  readonly count: number;
  readonly step: number;
}

/** The results of running some seeds. */
export interface Summary {
  readonly failed: number;
  /** The number of occurrences of each kind of incident, such as a crash. */
  readonly totals: ReadonlyMap<string, number>;
}

/** The maximum number of findings to print for a seed. */
const maximumShown = 20;

/** Runs seeds in sequence and prints the auditor's findings. */
export async function runSeeds(
  { from, count, step }: Seeds,
  trace?: (line: string) => void,
): Promise<Summary> {
  const totals = new Map<string, number>();
  let failed = 0;
  for (let done = 0; done < count; done++) {
    const seed = from + done * step;
    const run = await simulate(seed, {}, trace);
    const { counts, findings } = run;
    for (const [what, times] of counts) totals.set(what, (totals.get(what) ?? 0) + times);
    if (count === 1) console.log(`the final tables: ${run.digest}`);
    if (findings.length > 0) {
      failed++;
      console.log(`seed ${seed} failed; again: npm run simulate -- --seed ${seed}`);
      for (const finding of findings.slice(0, maximumShown)) console.log(`  ${finding}`);
      if (findings.length > maximumShown)
        console.log(`  and ${findings.length - maximumShown} more`);
    }
    if ((done + 1) % 500 === 0) console.error(`${done + 1} of ${count} seeds, ${failed} failed`);
  }
  return { failed, totals };
}
