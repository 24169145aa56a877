/** Whether a text has no more characters than that; what JavaScript counts as two may be one. */
export const hasAtMostCharacters = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most);
