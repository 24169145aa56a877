/** Shortens long text so that it fits in the name of a test. */
export const abbreviated = (text: string): string =>
  text.length > 60 ? `${text.slice(0, 40)}… (${text.length} characters)` : text;
