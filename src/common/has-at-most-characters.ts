/**
 * Returns true if a string has at most this many characters. A character is a Unicode code point, which consists of one
 * or two UTF-16 code units.
 */
export const hasAtMostCharacters = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most);
