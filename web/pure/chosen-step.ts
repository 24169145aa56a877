/** What an address says of the moment that a page shows. */
export interface ChosenMoment {
  /** A version; undefined: now, or only a step is said. */
  readonly version: number | undefined;
  /** Which event of the history, counted from 1. */
  readonly step: number | undefined;
}

/** Reads it from an address. */
export function momentIn(query: Readonly<Record<string, string | undefined>>): ChosenMoment {
  const number = (text = '') => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined);
  return { version: number(query.version), step: number(query.step) };
}

/**
 * The step that is shown: the one that is said, if it is of the version that is said, or else the last
 * of that version; the latest where nothing is said.
 */
export function chosenStep(
  { version, step }: ChosenMoment,
  entries: readonly { readonly version: number }[],
): number {
  const latest = entries.length;
  if (version === undefined) return Math.min(step ?? latest, latest);
  if (step !== undefined && entries[step - 1]?.version === version) return step;
  return entries.findLastIndex((entry) => entry.version <= version) + 1;
}
