/** Quotes text as one word of a shell command that users copy. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Quotes texts as arguments of a shell command. If one of them starts with a hyphen, they follow `--` so that it is not
 * an option.
 */
export function shellArguments(...texts: readonly string[]): string {
  const words = texts.some((text) => text.startsWith('-')) ? ['--', ...texts] : texts;
  return words.map(shellWord).join(' ');
}
