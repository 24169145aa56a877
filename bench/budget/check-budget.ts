/** Counts that were accepted together, with the date and the reason. */
export interface Recording {
  /** The date of acceptance, as `YYYY-MM-DD`. */
  readonly date: string;
  readonly reason: string;
  /** The new values by count name; `null` for a count that no longer exists. */
  readonly counts: Readonly<Record<string, number | null>>;
}

/** How much a count may differ from its recorded value, as a fraction of the recorded value. */
const tolerance = 0.05;

const remedy = 'or append the new value and the reason to bench/budget/recorded.ts';

/**
 * Compares each count with its latest recorded value.
 *
 * @returns a sentence for each count that differs from its recorded value by more than 5%, that has no recorded value,
 *   or that is recorded but was not counted.
 */
export function checkBudget(
  counts: Readonly<Record<string, number>>,
  recordings: readonly Recording[],
): string[] {
  const recorded: Record<string, number | null> = Object.assign(
    {},
    ...recordings.map((recording) => recording.counts),
  );
  const names = new Set([...Object.keys(recorded), ...Object.keys(counts)]);
  return [...names].flatMap((name) => {
    const flaw = flawOf(counts[name], recorded[name] ?? undefined);
    return flaw === undefined ? [] : [`${name}: ${flaw}`];
  });
}

function flawOf(count: number | undefined, recorded: number | undefined): string | undefined {
  if (count === undefined && recorded === undefined) return undefined;
  if (count === undefined) return 'recorded, but not counted; record null if it no longer exists';
  if (recorded === undefined) return `${count} has no recorded value; record it`;
  const growth = count / recorded - 1;
  const change = `${count} is ${(100 * Math.abs(growth)).toFixed(1)}%`;
  if (count > recorded * (1 + tolerance))
    return `${change} above the recorded ${recorded}; reduce it, ${remedy}`;
  if (count < recorded * (1 - tolerance))
    return `${change} below the recorded ${recorded}; to keep the improvement, append the new value`;
  return undefined;
}
