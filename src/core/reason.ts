const maximumLength = 1000;

/**
 * Why something is so, in words that can be stored: at most 1,000 characters,
 * because what a model throws may hold a whole event, and well-formed, because
 * half a surrogate pair has no UTF-8.
 */
export function storedReason(reason: string): string {
  const short = reason.length > maximumLength ? `${reason.slice(0, maximumLength)}…` : reason;
  return short.toWellFormed();
}
