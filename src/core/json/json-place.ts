/** The member names and array indexes that lead to a value, outermost first. */
export type JsonPlace = readonly (string | number)[];

/**
 * Formats a path for display, similar to JavaScript: `.app.NBC.token`, `.items[3]`, `["a name"].x`; empty for the whole
 * value. For a machine-readable format, see `pointerOf`.
 */
export function placeText(path: JsonPlace): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join('');
}
