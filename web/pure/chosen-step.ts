/** The moment that an address selects. */
export interface ChosenMoment {
  /** The version; undefined if the address contains none. */
  readonly version: number | undefined;
  /** The step in the history, counted from 1. */
  readonly step: number | undefined;
  /** The event time, RFC 3339; undefined if the address contains none. The API validates it. */
  readonly eventTime: string | undefined;
}

/** Parses the moment from the query of an address. */
export function momentIn(query: Readonly<Record<string, string | undefined>>): ChosenMoment {
  const number = (text = '') => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined);
  const eventTime = query.asOfEventTime || undefined;
  return { version: number(query.version), step: number(query.step), eventTime };
}

/**
 * Returns the step to show: the selected step if it belongs to the selected version, otherwise the last step of the
 * selected version. If nothing is selected, returns the latest step. Returns undefined if the step to show is not
 * loaded. However, if a step is selected without a version and is not loaded, returns the last loaded step.
 *
 * @param more true if there are later entries that are not loaded.
 */
export function chosenStep(
  { version, step }: Omit<ChosenMoment, 'eventTime'>,
  entries: readonly { readonly version: number }[],
  more: boolean,
): number | undefined {
  const latest = entries.length;
  if (version === undefined && step === undefined && more) return undefined;
  if (version === undefined) return Math.min(step ?? latest, latest);
  if (step !== undefined && entries[step - 1]?.version === version) return step;
  // Entries of the version may follow the loaded ones.
  if (more && (entries.at(-1)?.version ?? 0) <= version) return undefined;
  return entries.findLastIndex((entry) => entry.version <= version) + 1;
}
