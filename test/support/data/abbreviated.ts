/** Shortens a long text for the name of a test. */
export const abbreviated = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 40)}… (${text.length} characters)` : text;
