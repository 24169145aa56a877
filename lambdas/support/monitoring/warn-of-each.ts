/**
 * The maximum number of lines per batch and kind. The limit keeps the log small if a faulty producer or model affects
 * every record.
 */
const maximumLines = 20;

/** Logs a line for each item and, above the limit, a line with the number of other items. */
export function warnOfEach(
  console: Pick<Console, 'warn'>,
  message: string,
  items: readonly object[],
): void {
  for (const each of items.slice(0, maximumLines)) console.warn({ message, ...each });
  if (items.length > maximumLines)
    console.warn({ message: `${message}: more`, count: items.length - maximumLines });
}
