const maximumLength = 1000;
/** The maximum length of a position in the code. Model functions in other languages may report longer ones. */
const maximumPlaceLength = 300;

/**
 * Makes a reason safe to store: at most 1,000 characters, because an error that a model throws may
 * contain a whole event, and well-formed, because a lone surrogate has no UTF-8 encoding.
 */
export function storedReason(reason: string): string {
  const short = reason.length > maximumLength ? `${reason.slice(0, maximumLength)}…` : reason;
  return short.toWellFormed();
}

/**
 * Appends the position in the code to a reason: `… (models/parcel/model.ts:12:17)`. Truncates a long
 * reason so that storing it does not cut off the position.
 */
export function reasonWithPlace(reason: string, place: string | undefined): string {
  if (place === undefined) return reason;
  const suffix = ` (${place.slice(0, maximumPlaceLength)})`;
  const room = maximumLength - suffix.length;
  return (reason.length > room ? `${reason.slice(0, room - 1)}…` : reason) + suffix;
}
