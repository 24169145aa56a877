const year = 365 * 86_400_000;

/**
 * Returns a warning if a model's bundle contains time zone data that is more than a year old; undefined otherwise.
 * Within a year, governments usually change the rules of some zones.
 *
 * @param bundle the bundle's code, which contains no time zone data if the model has no calendar.
 * @param now milliseconds since 1970.
 */
export function oldZonesWarning(bundle: string, now: number): string | undefined {
  // Matches the first line of `tzdata`, which contains the version and the release date.
  const [, version, released = ''] = /tzdata (\d{4}\w+) (\d{4}-\d\d-\d\d)/.exec(bundle) ?? [];
  const isOld = version !== undefined && now - Date.parse(released) > year;
  return isOld
    ? `the calendars use version ${version} of the time zone data, released on ${released}; update milepost to get the current data`
    : undefined;
}
