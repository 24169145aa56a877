/** The words of a command line, reassembled from the parts that Bash passes to a completion. */
export interface BashWords {
  readonly words: readonly string[];
  /** The length, in UTF-16 units, of the part of the last word that Bash keeps. Completions must omit this part. */
  readonly kept: number;
}

/** The characters of COMP_WORDBREAKS that occur in arguments of Milepost's commands. */
const breaks = /^[=:@]+$/;

/**
 * Rejoins the words that Bash split in COMP_WORDS, and removes quotes and backslashes. Bash splits words at characters
 * such as `=`, so `--status=Active` becomes three words
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
  // Bash replaces `@` together with the text after it, which could be a host name.
  return { words: plain, kept: whole[kept - 1] === '@' ? kept - 1 : kept };
}

const quoting = /\\(.)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?/gsu;

/** Removes quotes and backslashes from a word. The last closing quote may be missing. */
function unquoted(word: string): string {
  return word.replace(
    quoting,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? '',
  );
}
