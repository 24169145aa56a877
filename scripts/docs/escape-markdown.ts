/** Escapes the characters of a text that have a meaning in the site's Markdown. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[|<>{}\\]/g, String.raw`\$&`);
