const maximumLength = 1000;
/** The most of it that a place takes: one that a model function reports may have any length. */
const maximumPlaceLength = 300;

/**
 * Why something is so, in words that can be stored: at most 1,000 characters,
 * because what a model throws may hold a whole event, and well-formed, because
 * half a surrogate pair has no UTF-8.
 */
export function storedReason(reason: string): string {
  const short = reason.length > maximumLength ? `${reason.slice(0, maximumLength)}…` : reason;
  return short.toWellFormed();
}

/**
 * A reason with the position in the code that it comes from, `… (models/parcel/model.ts:12:17)`. A long
 * reason is cut, so that the position stays in it when it is stored.
 */
export function reasonWithPlace(reason: string, place: string | undefined): string {
  if (place === undefined) return reason;
  const suffix = ` (${place.slice(0, maximumPlaceLength)})`;
  const room = maximumLength - suffix.length;
  return (reason.length > room ? `${reason.slice(0, room - 1)}…` : reason) + suffix;
}
