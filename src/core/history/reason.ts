const maximumLength = 1000;
/**
 * The maximum length of a code position, in characters. Model functions in other languages may report longer
 * positions.
 */
const maximumPlaceLength = 300;

/**
 * Makes a reason safe to store. Truncates it to 1,000 characters, because an error that a model throws can contain a
 * whole event. Makes it well-formed, because a lone surrogate has no UTF-8 encoding.
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
