/** Values of counts that were accepted at the same time for the same reason. */
export interface Recording {
  /** The date, `YYYY-MM-DD`. */
  readonly date: string;
  /** The reason for the new values. */
  readonly reason: string;
  /** The new values by the name of their count; `null` for a count that no longer exists. */
  readonly counts: Readonly<Record<string, number | null>>;
}

/** The largest accepted difference between a count and its recorded value. */
const tolerance = 0.05;

const remedy = 'or append the new value and the reason to bench/budget/recorded.ts';

/**
 * Compares counts with the last recorded value of each.
 *
 * @returns a sentence for each count that differs by more than 5%, that has no recorded value, or that is recorded but
 *   was not counted
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
    return `${change} below the recorded ${recorded}; keep the gain: append the new value`;
  return undefined;
}
