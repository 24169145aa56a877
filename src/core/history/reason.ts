const maximumLength = 1000;
/**
 * The maximum length of a code position, in characters. Longer positions, which model functions in other languages can
 * report, are truncated.
 */
const maximumPlaceLength = 300;

/**
 * Makes a reason safe to store. Truncates the reason to 1,000 characters because the message of a model's error can
 * contain a whole event. Replaces lone surrogates because they cannot be encoded as UTF-8.
 */
export function storedReason(reason: string): string {
  const short = reason.length > maximumLength ? `${reason.slice(0, maximumLength)}…` : reason;
  return short.toWellFormed();
}

/**
 * Appends the position in the code to a reason: `… (models/parcel/model.ts:12:17)`. Truncates a long reason, so the
 * position is not cut off when the reason is stored.
 */
export function reasonWithPlace(reason: string, place: string | undefined): string {
  if (place === undefined) return reason;
  const suffix = ` (${place.slice(0, maximumPlaceLength)})`;
  const room = maximumLength - suffix.length;
  return (reason.length > room ? `${reason.slice(0, room - 1)}…` : reason) + suffix;
}
