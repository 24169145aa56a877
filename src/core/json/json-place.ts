/** The names of members and indexes of elements that lead to a value, from the outside in. */
export type JsonPlace = readonly (string | number)[];

/**
 * Writes a place as JavaScript does: `.app.NBC.token`, `.items[3]`, `["a name"].x`; empty for the whole value. For
 * programs there is `pointerOf`.
 */
export function placeText(path: JsonPlace): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join('');
}
