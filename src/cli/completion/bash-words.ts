/** A command line that was reassembled from the words that Bash passes to a completion. */
export interface BashWords {
  readonly words: readonly string[];
  /** The length of the last word's prefix that Bash keeps, in UTF-16 units; completions omit this prefix. */
  readonly kept: number;
}

/** The characters of COMP_WORDBREAKS that appear in words of Milepost's commands. */
const breaks = /^[=:@]+$/;

/**
 * Joins the words in COMP_WORDS and removes quotes and backslashes. Bash splits words at some characters, so that
 * `--status=Active` becomes three words
 * (https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html).
 */
export function joinBashWords(cut: readonly string[]): BashWords {
  const words: string[] = [];
  let isOpen = false;
  for (const word of cut) {
    const isBreak = breaks.test(word) && words.length > 0;
    if (isOpen || isBreak) words.push(`${words.pop() ?? ''}${word}`);
    else words.push(word);
    isOpen = isBreak;
  }
  const last = cut.at(-1) ?? '';
  const typed = isOpen ? '' : unquoted(last);
  const plain = words.map((word) => unquoted(word));
  const whole = plain.at(-1) ?? '';
  const kept = whole.length - typed.length;
  // Bash replaces `@` together with the text after it, because that text could be a host name.
  return { words: plain, kept: whole[kept - 1] === '@' ? kept - 1 : kept };
}

const quoting = /\\(.)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?/gsu;

/** Removes the quotes of a word. The closing quote of the last part may be missing. */
function unquoted(word: string): string {
  return word.replace(
    quoting,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? '',
  );
}
